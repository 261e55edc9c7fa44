/** Keys that say what they are: whose, how they begin, and what follows if that is not just a long run. */
export const SERVICE_KEYS: readonly (readonly [services: string, beginning: RegExp, rest?: RegExp])[] = [
  ["Anthropic, OpenAI, OpenRouter, DeepSeek", /sk-/, /[\w-]{8,}/],
  ["xAI, Groq, Perplexity, NVIDIA, Replicate", /(?:xai|gsk|pplx|nvapi|r8)[_-]/],
  ["Hugging Face, LangSmith, Pinecone, Tavily", /hf_|lsv2_[a-z]{2}_|pcsk_|tvly-/],
  ["GitHub", /(?:gh[oprsu]|github_pat)_/],
  ["GitLab, Atlassian", /gl[a-z]{2,4}-|GR1348941|ATATT3|ATCTT3|ATBB|BBDC-/],
  ["AWS", /AKIA|ASIA|ABIA|ACCA|ABSK/, /[\w+/]{12,}/],
  ["Google, Alibaba Cloud, Yandex Cloud", /AIza|ya29\.|GOCSPX-|1\/\/0|LTAI|AQVN/],
  ["DigitalOcean, Fly.io, Render, Vercel, Netlify", /do[opr]_v1_|fo1_|fm[12][ar]?_|rnd_|vercel_|nfp_/],
  ["PlanetScale, Supabase, Databricks", /pscale_[a-z]{2,5}_|sbp_|sb_secret_|dapi(?=[\da-f]{16})/],
  ["HashiCorp, Doppler, 1Password, age", /hv[sbr]\.|\w{14}\.atlasv1\.|dp\.[a-z]{2,5}\.|ops_eyJ|AGE-SECRET-/],
  ["Slack", /xox[a-z](?:\.xox[bp])?-|xapp-|(?<=hooks\.slack\.com\/[a-z]{8,9}\/)/, /[\w/-]{8,}/],
  ["Discord, Teams, Telegram", /(?<=\/(?:webhooks|webhookb2)\/)|[MNO][\w-]{23,27}\.[\w-]{6}\.|\d{6,12}:A/],
  ["Twilio, SendGrid, Mailgun", /(?:SK|AC|key-)(?=[\da-f]{32})|SG\./],
  ["Stripe, Square, Shopify", /[rsp]k_(?:live|test|prod)_|whsec_|EAAA|sq0[a-z]{3}-|shp[a-z]{2,3}_/, /\w{8,}/],
  ["npm, PyPI, RubyGems, NuGet, Docker, JFrog", /npm_|pypi-|rubygems_|oy2(?=\w{43})|dckr_[op]at_|AKCp/],
  ["Grafana, New Relic, PostHog, Sentry", /gl(?:c|sa)_|NRAK-|ph[cx]_|sntry[su]_/],
  ["Linear, Notion, Figma, Tailscale, Postman", /lin_(?:api|oauth)_|ntn_|figd_|tskey-|PMAK-/],
  ["JSON Web Tokens", /eyJ/, /[\w-]{8,999}\.[\w.-]{8,}/],
  ["hashes of passwords", /\$[a-z\d]{1,14}\$|\{S?SHA\d{0,3}\}/],
];

const LONG = /[\w$./+=,~-]{16,}/;
const FORMS = SERVICE_KEYS.map(([, beginning, rest = LONG]) => `(?:${beginning.source})${rest.source}`);
export const SERVICE_KEY = new RegExp(`(?<![A-Za-z0-9])(?:${FORMS.join("|")})`, "g");
