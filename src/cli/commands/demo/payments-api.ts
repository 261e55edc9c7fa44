/**
 * Charges, refunds and webhooks, with a Spanish and a Japanese note. Paths lie below the project; `{today-3}` stands for the date three
 * days ago.
 */
export const paymentsApi: Readonly<Record<string, string>> = {
  "status.md": `---
updated: {today-1}
tags: [payments, backend]
---
# Payments API

Small merchants charge cards, refund payments and receive webhooks.

## Current Status
Version 0.3 is in staging. Rate limiting (003) runs in shadow mode: the limiter counts but does not yet refuse.

## Blockers
- 004 Refunds: the card processor has not opened its refund sandbox for our account.

## Next
1. Turn the rate limiter from shadow to enforce (003).
2. Start signed webhooks (005); nothing stands before it.
`,
  "tasks/001-create-the-charges-endpoint.md": `# Task: Create the charges endpoint

Status: done

## Objective
Charge a card with one \`POST /v1/charges\` call that is safe to repeat.

## Steps
1. [x] Validate amount and currency
2. [x] Store the idempotency key with the response
`,
  "tasks/002-add-bearer-token-authentication.md": `---
owner: dana
---
# Task: Add bearer token authentication

Status: done

## Objective
Refuse every request without a valid bearer token, and let a merchant rotate tokens without downtime.

## Context
- Dependencies: 001-create-the-charges-endpoint

## Steps
1. [x] Store only the SHA-256 hash of each token
2. [x] Accept two active tokens per merchant during a rotation
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
`,
  "tasks/004-support-partial-refunds.md": `---
due: {today-2}
---
# Task: Support partial refunds

Status: blocked

## Objective
Refund all or part of a charge, and never more than was paid.

## Context
- Dependencies: 001-create-the-charges-endpoint

## Steps
1. [x] Agree on the response shape with two pilot merchants
2. [ ] Call the processor's refund endpoint

## Notes
- {today-3}: The refund sandbox of the card processor is not open yet.
`,
  "tasks/005-send-signed-webhooks.md": `---
priority: high
---
# Task: Send signed webhooks

Status: pending

## Objective
Tell merchants about each change of a charge with a signed webhook that is retried for 24 hours.

## Context
- Dependencies: 002-add-bearer-token-authentication
`,
  "tasks/006-publish-the-node-js-client.md": `# Task: Publish the Node.js client

Status: pending

## Objective
Give merchants a typed client for Node.js that retries safely.

## Context
- Dependencies: 003-add-rate-limiting, 005-send-signed-webhooks
`,
  "tasks/007-write-the-runbook-for-on-call.md": `# Task: Write the runbook for on-call

Status: pending

## Objective
Anyone on call can find out in five minutes why charges fail.

## Context
- Dependencies: 003-add-rate-limiting
`,
  "plans/execution-plan.md": `# Execution Plan — payments-api

## Overview
Reach version 1.0 with charges, refunds and webhooks that ten pilot merchants can rely on.

## Current Status
- done: 001, 002
- in-progress: 003
- blocked: 004
- pending: 005, 006, 007

## Decisions
- **Token bucket, not a fixed window.** A fixed window lets twice the limit through at its edge.
- **Fail open.** When Redis is unreachable a lost limit costs less than a lost sale.
- **Refunds wait for the sandbox.** Webhooks do not wait for refunds.
`,
  "sessions/{today-3}.md": `# Session Log - {today-3}

## Done
- Rate limiter in shadow mode on staging. In six hours it would have refused 0.4 % of requests.
- Wrote down why the limiter fails open (see Decisions in the plan).

## Blocked by
- Refund sandbox of the card processor. Asked again; no date.

## Next
- Load test the token bucket with many merchants at once.
`,
  "sessions/{today-1}.md": `# Session Log - {today-1}

## Done
- Load test: 1.3 ms added at the 99th percentile, so the Lua script stays.

## Next
- Return 429 with \`Retry-After\`, then turn enforcement on in staging.
`,
  "references/authentication.md": `# Authentication

Every request carries a bearer token. Tokens belong to a merchant and have scopes.

\`\`\`js
const client = createClient({ token: process.env.PAYMENTS_TOKEN });
const profile = await client.getUserProfile("usr_20417");
\`\`\`

\`getUserProfile\` is the cheapest call that checks a token: it reads no charges.
`,
  "references/politica-de-devoluciones.md": `# Política de devoluciones

Lo que prometen los comercios de España a sus clientes.

- Catorce días naturales desde la entrega, sin dar explicaciones, por el mismo medio de pago.
- Treinta días si el artículo llegó roto: basta con una foto del paquete.
- Una devolución parcial nunca supera lo que se pagó.
`,
  "references/認証トークン設計.md": `# 認証トークンの設計

日本の加盟店向けの説明。トークンはハッシュ値だけを保存する。

| 種類 | 有効期限 | 失効の条件 |
|---|---|---|
| アクセストークン | 30分 | 期限切れ |
| 更新トークン | 60日 | ログアウト、端末の紛失 |
`,
};
