/** Keys that say what they are by how they begin: whose they are, and what they look like. */
export const SERVICE_KEYS: readonly [services: string, pattern: RegExp][] = [
  ["Anthropic, OpenAI, OpenRouter, DeepSeek", /sk-[\w-]{8,}/],
  ["xAI, Groq, Perplexity, NVIDIA, Replicate", /(?:xai|gsk|pplx|nvapi|r8)[_-][\w-]{16,}/],
  ["Hugging Face", /(?:hf|api_org)_[A-Za-z0-9]{16,}/],
  ["LangSmith, Pinecone, Tavily, Jina", /(?:lsv2_(?:pt|sk)|pcsk|tvly|jina)[_-][\w-]{16,}/],
  ["GitHub", /(?:gh[oprsu]|github_pat)_\w{16,}/],
  ["GitLab", /gl(?:pat|dt|rt|ptt|soat|ft|imt|agent|oas|cbt|ffct|wt)-[\w.-]{16,}|GR1348941[\w-]{16,}/],
  ["Atlassian", /(?:ATATT3|ATCTT3|ATBB|BBDC-)[\w=-]{16,}/],
  [
    "AWS",
    /(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{12,}(?:[\s:,/|"']{1,10}[A-Za-z0-9/+]{40})?|ABSK[\w+/]{40,}/,
  ],
  ["Google", /AIza[\w-]{20,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|1\/\/0[\w-]{20,}/],
  ["Azure", /[\w~.]{3}\dQ~[\w~.-]{31,34}/],
  ["Alibaba Cloud, Yandex Cloud", /LTAI[A-Za-z0-9]{16,}|AQVN[\w-]{30,}/],
  [
    "DigitalOcean, Fly.io, Render, Vercel",
    /do[opr]_v1_[a-f0-9]{16,}|f(?:o1|m1[ar]|m2)_[\w+/=,-]{16,}|(?:rnd|vercel)_\w{16,}/,
  ],
  [
    "Netlify, PlanetScale, Supabase",
    /nfp_\w{16,}|pscale_(?:tkn|oauth|pw)_[\w=.-]{16,}|sb(?:p|_secret)_\w{16,}/,
  ],
  ["Databricks, Snyk, Sentry", /dapi[a-f0-9]{32}|snyk_\w{3,6}\.[\w.-]{16,}|sntry[su]_[\w+/=]{16,}/],
  [
    "Doppler, HashiCorp Vault, Terraform",
    /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{16,}|hv[sbr]\.[\w-]{16,}|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{16,}/,
  ],
  [
    "1Password, age",
    /A3-[A-Z0-9]{6}-[A-Z0-9-]{20,}|ops_eyJ[\w+/=]{16,}|AGE-(?:SECRET-KEY|PLUGIN)-[\w-]{16,}/,
  ],
  [
    "Slack",
    /xox[a-z](?:\.xox[bp])?-[A-Za-z0-9-]{8,}|xapp-[A-Za-z0-9-]{8,}|(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/]{8,}/,
  ],
  ["Discord", /(?<=discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,}|[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,}/],
  ["Telegram", /(?:bot)?\d{6,12}:A[\w-]{30,}/],
  ["Microsoft Teams", /(?<=webhook\.office\.com\/webhookb2\/)[\w@/-]{8,}/],
  ["Twilio, SendGrid", /(?:SK|AC)[0-9a-f]{32}|SG\.[\w-]{16,}\.[\w-]{16,}/],
  [
    "Mailgun, Mailchimp, Brevo, Postmark",
    /(?:pub)?key-[0-9a-f]{32}|[0-9a-f]{32}-us\d{1,2}|x(?:keysib|smtpsib)-[\w-]{16,}|PMAK-[\w-]{16,}/,
  ],
  ["Resend", /re_[A-Za-z0-9]{8}_\w{16,}/],
  ["Stripe", /(?:[rsp]k_(?:live|test|prod)|whsec)_\w{8,}/],
  ["Square, Shopify", /(?:EAAA|sq0(?:atp|csp)-)[\w-]{20,}|shp(?:at|ca|pa|ss|tka)_\w{16,}/],
  ["Meta", /EAA[CM][A-Za-z0-9]{60,}|\d{15,16}\|[\w-]{27,}/],
  [
    "npm, PyPI, RubyGems, NuGet, crates.io",
    /npm_\w{16,}|pypi-[\w-]{16,}|rubygems_\w{16,}|oy2[a-z0-9]{43}|cio[A-Za-z0-9]{32}/,
  ],
  ["Docker, JFrog", /dckr_[op]at_[\w-]{16,}|AKCp[A-Za-z0-9]{40,}|cmVmd[A-Za-z0-9]{40,}/],
  ["CircleCI, Buildkite, Pulumi, Postman", /CCIPAT_\w{16,}|bk[a-z]{2}_\w{16,}|pul-[a-f0-9]{16,}/],
  [
    "Grafana, New Relic, Dynatrace, PostHog",
    /gl(?:c|sa)_[\w+/=]{16,}|NR(?:AK|II|JS|RA)-[\w-]{16,}|dt0c01\.[\w.]{16,}|ph[cx]_\w{16,}/,
  ],
  [
    "Linear, Notion, Figma, Airtable",
    /lin_(?:api|oauth)_\w{16,}|ntn_\w{16,}|secret_[A-Za-z0-9]{40,}|figd_[\w-]{16,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{32,}/,
  ],
  ["Tailscale, Cloudflare, OpenShift", /tskey-[\w-]{16,}|v1\.0-[a-f0-9]{24}-[a-f0-9]{60,}|sha256~[\w-]{43}/],
  ["JSON Web Tokens", /eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*/],
  [
    "hashes of passwords",
    /\$(?:1|2[abxy]?|5|6|7|g?y|apr1|argon2(?:id?|d)|scrypt|pbkdf2[\w-]{0,12})\$[^\s:"'`,;<]{8,400}|\{S?SHA\d{0,3}\}[\w+/=]{16,}/,
  ],
  [
    "private keys without their lines",
    /(?:LS0tLS1CRUdJTi|b3BlbnNzaC1rZXktdjE|MII[A-Za-z0-9+/]{60})[A-Za-z0-9+/=]{16,}/,
  ],
];

export const SERVICE_KEY = new RegExp(
  `(?<![A-Za-z0-9])(?:${SERVICE_KEYS.map(([, { source }]) => source).join("|")})`,
  "g",
);
