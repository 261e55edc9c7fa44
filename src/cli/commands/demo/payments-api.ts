/** An English project: charges, refunds and webhooks behind bearer tokens. Paths lie below the project; `{today-3}` stands for the date three days ago. */
export const paymentsApi: Readonly<Record<string, string>> = {
  "status.md": `---
project: payments-api
type: status
updated: {today-1}
owner: dana
tags: [payments, backend]
---
# Payments API

An HTTP API that lets small merchants charge cards, refund payments and receive webhooks.

## Current Status
Version 0.3 is in staging: charges work and every request needs a bearer token. Rate limiting (003) runs in shadow mode, where it counts but does not yet refuse.

- Done: 001, 002
- In progress: 003
- Blocked: 004
- Pending: 005, 006, 007

## Blockers
- 004 Refunds: the card processor has not opened its refund sandbox for our account. Asked again on {today-3}.

## Next
1. Turn the rate limiter from shadow to enforce (003).
2. Start signed webhooks (005); nothing stands before it.
`,
  "tasks/001-create-the-charges-endpoint.md": `---
tags: [backend, charges]
owner: dana
updated: {today-21}
---
# Task: Create the charges endpoint

Status: done

## Objective
Let a merchant charge a card with one \`POST /v1/charges\` call that is safe to repeat.

## Context
- Related files: \`src/routes/charges.ts\`, \`migrations/004_charges.sql\`

## Steps
1. [x] Create the \`charges\` table
2. [x] Validate amount and currency
3. [x] Store the idempotency key with the response
4. [x] Answer 402 when the card is declined

## Acceptance Criteria
- [x] The same \`Idempotency-Key\` never charges a card twice
- [x] Amounts are integers in the smallest unit of the currency
`,
  "tasks/002-add-bearer-token-authentication.md": `---
tags: [backend, security, auth]
owner: dana
updated: {today-9}
---
# Task: Add bearer token authentication

Status: done

## Objective
Refuse every request without a valid bearer token, and let a merchant rotate tokens without downtime.

## Context
- Related files: \`src/auth/bearer-token.ts\`, \`src/auth/scopes.ts\`
- Dependencies: 001-create-the-charges-endpoint

## Steps
1. [x] Store only the SHA-256 hash of each token
2. [x] Compare hashes in constant time
3. [x] Accept two active tokens per merchant during a rotation
4. [x] Answer 401 with \`WWW-Authenticate: Bearer\`

## Acceptance Criteria
- [x] A revoked token is refused within five seconds
- [x] No log line contains a token

## Notes
The format of the header and the error codes are in \`references/authentication.md\`.
`,
  "tasks/003-add-rate-limiting.md": `---
tags: [backend, security, redis]
owner: miles
priority: high
due: {today+3}
---
# Task: Add rate limiting

Status: in-progress

## Objective
Protect the API from runaway clients with a token bucket per merchant: 100 requests per second, bursts of 200.

## Context
- Related files: \`src/limits/token-bucket.ts\`, \`src/limits/bucket.lua\`
- Dependencies: 002-add-bearer-token-authentication

## Steps
1. [x] Keep the bucket in Redis and update it in one Lua script
2. [x] Run in shadow mode and record what would be refused
3. [x] Load test with 50 merchants at once
4. [ ] Answer 429 with \`Retry-After\`
5. [ ] Turn enforcement on in staging

## Acceptance Criteria
- [ ] The limiter adds less than 2 ms at the 99th percentile
- [ ] When Redis is down, requests pass and an alert fires
- [ ] Limits can be raised for one merchant without a deploy

## Notes
The limit is per merchant, not per token: otherwise a second token would double it.
`,
  "tasks/004-support-partial-refunds.md": `---
tags: [backend, refunds]
priority: medium
due: {today-2}
---
# Task: Support partial refunds

Status: blocked

## Objective
Refund all or part of a charge, and never more than was paid.

## Context
- Related files: \`src/routes/refunds.ts\`
- Dependencies: 001-create-the-charges-endpoint

## Steps
1. [x] Agree on the response shape with two pilot merchants
2. [ ] Lock the charge row while its refunds are summed
3. [ ] Call the processor's refund endpoint
4. [ ] Send \`refund.created\` and \`refund.failed\`

## Acceptance Criteria
- [ ] Two refunds at the same moment cannot exceed the charge
- [ ] A refund of a disputed charge is refused

## Notes
Blocked by the card processor: our account has no access to the refund sandbox yet.
`,
  "tasks/005-send-signed-webhooks.md": `---
tags: [backend, webhooks]
priority: high
---
# Task: Send signed webhooks

Status: pending

## Objective
Tell merchants about each change of a charge with a signed webhook that is retried for 24 hours.

## Context
- Related files: \`src/webhooks/deliver.ts\`, \`src/webhooks/sign.ts\`
- Dependencies: 001-create-the-charges-endpoint, 002-add-bearer-token-authentication

## Steps
1. [ ] Sign timestamp and body with HMAC-SHA256
2. [ ] Retry with exponential backoff and jitter
3. [ ] Disable an endpoint after 24 hours of failures

## Acceptance Criteria
- [ ] A signature older than five minutes is rejected by the sample code
- [ ] One slow endpoint does not delay the others
`,
  "tasks/006-publish-the-node-js-client.md": `# Task: Publish the Node.js client

Status: pending

## Objective
Give merchants a typed client for Node.js that retries safely.

## Context
- Dependencies: 003-add-rate-limiting, 005-send-signed-webhooks

## Steps
1. [ ] Generate the types from the OpenAPI file
2. [ ] Honour \`Retry-After\` on 429
3. [ ] Verify webhook signatures

## Acceptance Criteria
- [ ] The quick start fits on one screen
- [ ] No dependency at run time
`,
  "tasks/007-write-the-runbook-for-on-call.md": `---
tags: [operations]
priority: low
---
# Task: Write the runbook for on-call

Status: pending

## Objective
Anyone on call can find out in five minutes why charges fail.

## Context
- Dependencies: 003-add-rate-limiting

## Steps
1. [ ] List the alerts and what each one means
2. [ ] Describe how to raise the limit of one merchant
3. [ ] Rehearse a Redis outage

## Acceptance Criteria
- [ ] Every alert links to its section
`,
  "plans/execution-plan.md": `---
type: plan
updated: {today-3}
---
# Execution Plan — payments-api

## Overview
Reach version 1.0 with charges, refunds and webhooks that ten pilot merchants can rely on.

## Current Status
- done: 001, 002
- in-progress: 003
- blocked: 004
- pending: 005, 006, 007

## Order
001 → 002 → 003 → 007; 001 → 004; 002 → 005; 006 needs 003 and 005. Webhooks do not wait for refunds.

## Decisions
- **Bearer tokens instead of request signing.** Merchants asked for something that works with \`curl\`; TLS covers the rest.
- **Token bucket, not a fixed window.** A fixed window lets twice the limit through at its edge.
- **Fail open.** When Redis is unreachable a lost limit costs less than a lost sale.
- **Integers for money.** Floating point amounts are refused with 422.
`,
  "sessions/{today-9}.md": `# Session Log - {today-9}

## Done
- Finished bearer token authentication (002): hashes in the database, constant-time comparison, rotation with two active tokens.
- Found that the old logger printed the whole \`Authorization\` header. It now prints the last four characters of the token id.

## Next
- Choose an algorithm for rate limiting (003).
`,
  "sessions/{today-3}.md": `# Session Log - {today-3}

## Done
- Rate limiter in shadow mode on staging. In six hours it would have refused 0.4 % of requests, all from one import job.
- Wrote down why the limiter fails open (see Decisions in the plan).

## Blocked by
- Refund sandbox of the card processor. Asked again; no date.

## Next
- Load test the token bucket with many merchants at once.
`,
  "sessions/{today-1}.md": `# Session Log - {today-1}

## Done
- Load test: 1.3 ms added at the 99th percentile, so the Lua script stays. Numbers in \`reports/rate-limiter-load-test.md\`.
- Fixed a clock bug: each app server used its own time; the script now asks Redis with \`TIME\`.

## Blocked by
- Nothing new. Refunds (004) still wait for the processor.

## Next
- Return 429 with \`Retry-After\`, then turn enforcement on in staging.
`,
  "references/authentication.md": `---
type: reference
tags: [auth, api]
updated: {today-9}
---
# Authentication

Every request carries a bearer token. Tokens belong to a merchant and have scopes.

\`\`\`bash
curl https://api.example.com/v1/charges \\
  -H "Authorization: Bearer $PAYMENTS_TOKEN" \\
  -H "Idempotency-Key: order-1042"
\`\`\`

## Errors

| Status | Code | Meaning | What to do |
|---|---|---|---|
| 401 | \`token_missing\` | No \`Authorization\` header | Send one |
| 401 | \`token_revoked\` | The token was rotated out | Use the newer token |
| 403 | \`scope_missing\` | Valid token, wrong scope | Ask for \`refunds:write\` |
| 429 | \`rate_limited\` | The merchant's bucket is empty | Wait for \`Retry-After\` seconds |

## From node.js

\`\`\`js
const client = createClient({ token: process.env.PAYMENTS_TOKEN });
const profile = await client.getUserProfile("usr_20417");
console.log(profile.displayName, profile.scopes);
\`\`\`

\`getUserProfile\` is the cheapest call that checks a token: it reads no charges and does not count against the limit.
`,
  "references/database-queries.md": `---
type: reference
updated: {today-35}
---
# Database queries

Queries that support needs about once a week. All of them are safe on the read replica.

## Charges stuck in pending

\`\`\`sql
/* Sample row, invented for this page:
Status: fake
Amount: 4200
*/
SELECT id, merchant_id, amount, created_at
FROM charges
WHERE status = 'pending'
  AND created_at < now() - interval '15 minutes'
ORDER BY created_at;
\`\`\`

More than ten rows mean that the processor's callback is late, not that money is lost.

## Find a charge by idempotency key

\`\`\`sql
SELECT c.* FROM charges c
JOIN idempotency_keys k ON k.charge_id = c.id
WHERE k.merchant_id = $1 AND k.key = $2;
\`\`\`
`,
  "changelog/v0.3.0.md": `---
type: changelog
updated: {today-8}
---
# v0.3.0 ({today-8})

## Added
- Bearer token authentication on all routes, with scopes and rotation.
- \`GET /v1/users/{id}\`, used by \`getUserProfile\`.

## Changed
- **Breaking:** amounts are integers; \`"42.00"\` is refused with 422.

## Fixed
- A retry after a timeout no longer creates a second charge.
`,
  "reports/rate-limiter-load-test.md": `---
type: report
updated: {today-1}
---
# Load test of the rate limiter

Fifty simulated merchants, ten minutes, two app servers, one Redis.

| Load | Over the limit | Added p50 | Added p99 |
|---|---|---|---|
| 1,000 req/s | 0 % | 0.4 ms | 0.9 ms |
| 4,000 req/s | 0 % | 0.5 ms | 1.3 ms |
| 8,000 req/s | 37 % | 0.6 ms | 1.9 ms |

## Conclusion
The token bucket stays below the goal of 2 ms. The bottleneck at 8,000 requests per second is the connection pool, not the script.
`,
};
