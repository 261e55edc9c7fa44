import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SERVICE_KEYS } from "../../src/sessions/transcripts/secrets/keys.ts";
import { MASK } from "../../src/sessions/transcripts/secrets/mask.ts";
import { maskSecrets } from "../../src/sessions/transcripts/secrets.ts";
import { assertProportionate } from "../fixtures/growth.ts";

const random = (length: number) => "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zC".repeat(4).slice(0, length);
const words = (text: string) => text.split(/\s+/);

/** The names behind which a secret stands: with a sign, with a space as well, and as an option. */
const NAMES =
  words(`_password_ DB_PASS DB_PWD MYSQL_PWD authorization X-Api-Key X-Auth-Token x-amz-security-token dbPassword
  db.password _auth pass clave Passwort senha пароль パスワード pw api_key apikey x-api-key client_secret
  clientSecret aws_secret_access_key SecretAccessKey aws_session_token AZURE_CLIENT_SECRET JWT_SECRET
  SECRET_KEY_BASE ENCRYPTION_KEY private_key_password ssh_key_passphrase spring.datasource.password Cookie
  X-CSRF-Token X-Vault-Token Contraseña 密码 비밀번호 wachtwoord wpa_passphrase bindpw smtp_pass MAIL_PASS
  unix_password Password`);
const SPACED =
  words(`Bearer password PASSWORD API-Key ApiKey consumer_secret hibernate.connection.password passwd bind_password
  rootpw requirepass auth_pass`);
const OPTIONS =
  words(`--password --db-password -password /password --token --api-key --secret --pass --pw --http-password
  --ftp-password --with-password --auth-token --passphrase`);

/** Ways to write a secret whose text is `hunter2pass`, by where they come from. */
const FORMS: Record<string, readonly string[]> = {
  "values behind names": [
    ...[...NAMES, ...SPACED].flatMap((name) => [`${name}: hunter2pass`, `${name}=hunter2pass`]),
    ...[...SPACED, ...OPTIONS].map((name) => `${name} hunter2pass`),
    ...OPTIONS.map((name) => `${name}=hunterpass`),
  ],
  "lines that go on": [
    "curl -u ana:\\\nhunter2pass x",
    "curl \\\n  -u ana:hunter2pass \\\n  x",
    "curl -u \\\n  ana:hunter2pass x",
    "mysql -u root \\\n  -phunter2pass db",
    'curl -H "Authorization: Bearer \\\nhunter2pass" x',
    'password = (\n  "hunter2pass"\n)',
    '"password": [\n  "hunter2pass"\n]',
    "Password\n--------\nhunter2pass",
    "Password:\n> hunter2pass",
    "the API key is\n\n    hunter2pass",
    "aws_secret_access_key\n  = hunter2pass",
    "PASSWORD<<EOF\nhunter2pass\nEOF",
    "machine x.org\nlogin ana\npassword hunterpass",
    'passwd <<< "hunter2pass\nhunter2pass"',
  ],
  "lists and objects of JSON": [
    ...words(`{"passwd":null,"token":"hunterpass"} ["--password","hunterpass"] {"cmd":["curl","-u","ana:hunterpass"]}
      ["mysql","-phunterpass"] {"value":"hunterpass","type":"password"} ["password","hunterpass"]
      ["user","ana","password","hunterpass"] ["docker","login","-u","ana","-p","hunterpass"]
      getByLabel("Password").fill("hunterpass")`),
    '[["user","ana"],["password", "hunterpass"]]',
    '{\\"args\\":[\\"password\\",\\"hunterpass\\"]}',
    'params.put("password", "hunterpass");',
    'page.fill("#password", "hunterpass")',
    '[:password, "hunterpass"]',
    "{ `password`, `hunterpass` }",
  ],
  "further addresses": [
    ...words(`smtp://ana@x.org:hunterpass@smtp.x.org:587 git+https://hunter2passhunter2pass:x-oauth-basic@github.com/a
      root:hunterpass@tcp(db:3306)/x https%3A%2F%2Fana%3Ahunterpass%40x.org https://x.org/?hmac=hunter2pass
      https://x.org/?pw=hunterpass https://x.org/data?appid=hunterpass&q=a https://hunterpass@github.com/a.git
      http://hunter@localhost:8080 https://hunterpass:@x.org/v1 https://hunterpass:x-oauth-basic@github.com/a
      https%3A%2F%2Fhunterpass%40x.org https://ana%3Ahunterpass@x.org //ana:hunterpass@db.example.com/x`),
    "https:\\/\\/hunterpass@x.org",
    "https:\\/\\/ana:hunterpass@x.org",
  ],
  "assignments and commands of shells": [
    ...words(`PASSWORD=''hunterpass'' PASSWORD="a"'hunterpass'`),
    "PASSWORD=abc\\ hunterpass",
    "read -r PASS <<< hunterpass",
    'IFS= read -rs PASSWORD <<< "hunterpass"',
    "cryptsetup open x y <<< hunterpass",
    '$password = ConvertTo-SecureString "hunterpass" -AsPlainText',
    '$login = New-Object PSCredential("ana", "hunterpass")',
    "doppler secrets set TOKEN hunterpass",
    "nmcli dev wifi connect x password hunterpass",
    "wpa_passphrase ssid hunterpass",
    'expect "assword:"; send "hunterpass\\r"',
    'firebase functions:config:set mail.key="hunterpass"',
    "poetry config http-basic.x ana hunterpass",
    "twine upload -u ana -p hunterpass",
    "cargo login hunter2pass",
    "npm login --_auth=hunterpass",
    "ftp -u ana,hunterpass",
    "rar a -hphunterpass x",
    "wfreerdp /u:ana /v:x /p:hunterpass",
    'TOKENS=("hunter1" "hunter2pass")',
    'PASSWORDS=(\n  "a b"\n  "hunterpass"\n)',
    'password = ["a b", "hunterpass"]',
  ],
  "signs of languages": [
    ...words(`password：hunter2pass {:password=>'hunter2pass'} password%3Dhunter2pass`),
    ...words("=> := == === != ||= ??= ?= += <- -> →").map((sign) => `password ${sign} "hunter2pass"`),
    "{ 'password' => 'hunter2pass' }",
    "token => hunter2pass",
    "password    =    hunter2pass",
    "password\t\t\t\t=\t\t\t\thunter2pass",
    "password:\u00a0hunter2pass",
    '(password . "hunter2pass")',
    '{:password "hunter2pass"}',
  ],
  "types and calls": [
    ...words(`client.setPassword("hunterpass") PASSWORD('hunterpass')`),
    "password: str = 'hunter2pass'",
    "const password: string = `hunter2pass`;",
    'let password: &str = "hunter2pass";',
    'let password: &\'static str = "hunter2pass";',
    'val password: String? = "hunter2pass"',
    'var password string = "hunter2pass"',
    'Dim password As String = "hunter2pass"',
    'String password = "hunter2pass";',
    'const char *password = "hunter2pass";',
    'char password[] = "hunter2pass";',
    '#define PASSWORD "hunter2pass"',
    'os.environ["PASSWORD"] = "hunter2pass"',
    'password = os.getenv("PASSWORD", "hunter2pass")',
    'os.environ.get("DB_PASSWORD", "hunterpass")',
    'const token = process.env.TOKEN || "hunter2pass"',
    "process.env.PASSWORD ?? 'hunterpass'",
    'define("DB_PASSWORD", "hunterpass");',
    'localStorage.setItem("token", "hunter2pass")',
    `@Value("$\{db.password:hunter2pass}")`,
    "password = Buffer.from('hunter2pass')",
    "$db['password'] = 'hunter2pass';",
    'variable "password" {\n  default = "hunter2pass"\n}',
    "CREATE USER ana IDENTIFIED BY 'hunterpass'",
    "ALTER ROLE ana WITH PASSWORD 'hunterpass'",
    "SET PASSWORD FOR 'ana' = 'hunterpass'",
    'password = "hun" + "ter2pass" + "hunter2pass"',
  ],
  "quotes and escapes": [
    ...words(`password=r'hunter2pass' パスワード：「hunterpass」 password=&quot;hunter2pass&quot;
      &quot;password&quot;:&quot;hunter2pass&quot; password=&#34;hunter2pass&#34; '{"token":"hunter2pass"}'
      password="${"ab1".repeat(150)}hunter2pass"
      password=${"ab1".repeat(3000)}hunter2pass
      password=(hunter2pass) token=<hunter2pass> password=[hunter2pass] password={hunter2pass}
      password=;hunter2pass PASSWORD=hun,hunter2pass password=hun&hunter2pass password=hun'hunter2pass
      password=hun"hunter2pass password=hun<hunter2pass password=hun>hunter2pass password=$hunter2pass
      password=#hunter2pass`),
    'token = b"hunter2pass"',
    "secret = f'hunter2pass'",
    'token = rb"hunter2pass"',
    "export PASSWORD=$'hunter2pass'",
    '$secret = @"hunter2pass"',
    "password N'hunter2pass'",
    "password=`hunter2pass`",
    "the password is `hunter2pass`",
    "password: “hunter2pass”",
    "password: «hunter2pass»",
    "password: „hunter2pass“",
    "password: ‘hunter2pass’",
    'password = """hunter2pass"""',
    "password = '''\nhunter2pass\n'''",
    'password="hun\\"ter2pass hunter2pass"',
    'password: "it\'s-hunter2pass"',
    "password='it''s hunter2pass'",
    '{\\"password\\":\\"hunter2pass\\"}',
    '{\\\\\\"password\\\\\\":\\\\\\"hunter2pass\\\\\\"}',
    '{\\"password\\": \\"hun\\\\\\"ter hunter2pass\\"}',
    "{\\u0022password\\u0022:\\u0022hunter2pass\\u0022}",
    'password = "hunter2pass and no end',
    'password = "one\ntwo hunter2pass"',
    "password: !hunter2pass",
  ],
  Markdown: [
    "**Password:** hunter2pass",
    "password: **hunter2pass**",
    "`password`: `hunter2pass`",
    "- **api key** - `hunter2pass`",
    "| password | hunter2pass |",
    "| user | password |\n|---|---|\n| ana | hunterpass |",
    "user | api key\n--- | ---\nana | hunter2pass\nbo | hunter2pass",
    "<b>Password</b>: hunter2pass",
    "### Password\n\nhunter2pass",
    "Password\n: hunter2pass",
  ],
  commands: [
    ...words(`-Ppassword=hunterpass -Dspring.datasource.password=hunterpass`),
    "--password 'hunter2pass'",
    "--password \\\n  hunterpass",
    "curl -u ana:hunter2pass x",
    "curl --user 'ana:hunterpass more' x",
    "curl --proxy-user ana:hunterpass x",
    "curl -H 'X-Api-Key: hunterpass' x",
    'curl -H "PRIVATE-TOKEN: hunterpass" x',
    "mysql -u root -phunterpass db",
    "sshpass -p hunterpass ssh x",
    "docker login -u ana -p hunterpass registry",
    "echo hunterpass | docker login --password-stdin",
    "echo 'ana:hunterpass' | sudo chpasswd",
    "echo hunterpass | sudo -S ls",
    "gh auth login --with-token <<< hunterpass",
    "gh secret set NAME --body hunterpass",
    "fly secrets set NAME=hunterpass",
    "heroku config:set NAME=hunterpass",
    "redis-cli -a hunterpass ping",
    "ldapsearch -D cn=x -w hunterpass",
    "zip -P hunterpass x.zip x",
    "7z x -phunterpass a.7z",
    "sqlcmd -S x -U sa -P hunterpass",
    "plink -pw hunterpass host",
    "net user ana hunterpass /add",
    "htpasswd -b .htpasswd ana hunterpass",
    "sqlplus scott/hunterpass@db",
    "smbclient -U ana%hunterpass //x/y",
    "keytool -storepass hunterpass",
    "openssl rsa -passin pass:hunterpass",
    "aws configure set aws_secret_access_key hunterpass",
    "npm config set //registry.example.com/:_authToken hunterpass",
    "aws secretsmanager create-secret --secret-string hunterpass",
    'ConvertTo-SecureString "hunterpass" -AsPlainText',
  ],
  "variables of shells": [
    ...words(`$env:API_TOKEN=hunterpass Environment=PASSWORD=hunterpass`),
    "set -x PASSWORD hunterpass",
    "$env:PASSWORD = 'hunterpass'",
    'setx PASSWORD "hunterpass"',
    "ENV DB_PASSWORD hunterpass",
    `PASSWORD: $\{PASSWORD:-hunter2pass}`,
    `$\{PASSWORD:=hunterpass}`,
    '[Environment]::SetEnvironmentVariable("PASSWORD", "hunterpass")',
  ],
  addresses: [
    ...words(`postgres://ana:hun@hunter2pass@db postgres://ana:hun/hunter2pass@db postgres://ana:hun:hunter2pass@db/x
      redis://:hunter2pass@cache:6379/0 mongodb+srv://ana:hunter2pass@cluster.example.net/x
      https://ana:hunterpass@git.example.com/x.git https://hunter2pass0123456789@git.example.com/x.git
      ana:hunter2pass@db.example.com https://example.com/?token=hunterpass
      https://example.com/?a=1&amp;api_key=hunterpass&b=2 https://example.com/#access_token=hunterpass&state=x
      https://x.s3.amazonaws.com/y?X-Amz-Signature=hunterpass
      https://x.blob.core.windows.net/y?sv=2020&sig=hunter2pass%3D https://example.com/callback?code=hunter2pass
      otpauth://totp/x?secret=HUNTERPASS jdbc:sqlserver://db;user=sa;password=hunter2pass;
      jdbc:oracle:thin:scott/hunterpass@db:1521 Server=db;Uid=sa;Pwd=hunterpass;
      AccountName=x;AccountKey=hunter2pass==;EndpointSuffix=y Endpoint=sb://x/;SharedAccessKey=hunter2pass=
      amqp://guest:hunterpass@mq smtp://ana%40example.com:hunterpass@smtp.example.com:587`),
    "Server=db;User Id=sa;Password=hunter2pass;Encrypt=true",
  ],
  headers: [
    ...words(`"cookie":"sid=hunterpass"`),
    "Authorization: Bearer hunterpass",
    'Authorization: Digest username="ana", response="hunterpass"',
    "Authorization: AWS4-HMAC-SHA256 Credential=x/y, Signature=hunterpass",
    'Authorization: Token token="hunterpass"',
    "Proxy-Authorization: Basic aHVudGVyMnBhc3M=",
    "Cookie: sid=hunterpass; other=hunterpass",
    '{"Authorization": "Bearer hunterpass"}',
    "headers = { Authorization: `Bearer hunterpass` }",
  ],
  files: [
    ...words(`<password>hunterpass</password> <password><![CDATA[hunterpass]]></password>
      <td>Password</td><td>hunter2pass</td> //registry.example.com/:_authToken=hunterpass
      //registry.example.com/:_password=hunterpass db.example.com:5432:db:ana:hunterpass *:*:*:ana:hunterpass
      ana:$2y$10$hunter2passhunter2pass root:$6$salt$hunter2pass.hunter2pass:19000:0:`),
    "password:\n\n    hunter2pass",
    "password:\n  - hunter2pass",
    "password: |\n  hunter2pass\n  more hunter2pass",
    "secret: >-\n  hunter2pass",
    "password: !!str hunter2pass",
    "- name: DB_PASSWORD\n  value: hunterpass",
    '{"name": "DB_PASSWORD", "value": "hunterpass"}',
    '<ns:password type="x">hunterpass</ns:password>',
    '<entry key="password">hunterpass</entry>',
    '<property name="password" value="hunterpass"/>',
    '<add key="ApiToken" value="hunterpass" />',
    '<user name="ana" password="hunterpass"/>',
    '<input type="password" value="hunterpass">',
    "user;password;mail\nana;hunterpass;x",
    "user\tpassword\nana\thunterpass",
    "Access key ID,Secret access key\nx,hunterpass",
    "machine example.com login ana password hunterpass",
    "PrivateKey = hunter2pass=",
  ],
  sentences: [
    ...words(`密码：hunterpass`),
    "The password is hunter2pass.",
    "password “hunterpass”",
    "Set the password to hunter2pass",
    "The password for the staging database is hunter2pass",
    "user ana password hunterpass",
    "Log in as ana with hunter2pass as the password",
    "`hunter2pass` is the password",
    "use hunter2pass as the token",
    "credentials: ana / hunter2pass",
    "creds: ana:hunter2pass",
    "passphrase: correct horse hunter battery hunter2pass",
    "seed phrase: legal winner hunter2pass thank year",
    "bearer token: hunterpass",
    "Mot de passe : hunterpass",
    "パスワードは hunterpass です",
    "密码是 hunterpass",
    "PIN: 4711",
  ],
  "what else people and programs write": [
    ...words(`password;hunter2pass password,hunter2pass username=ana;password=hunter2pass
      <connectionString>Server=x;Password=hunter2pass</connectionString>
      connectionString="Server=x;User=sa;Password=hunter2pass;" {password:'hunter2pass'}
      "--password","hunter2pass" $Env:Password="hunter2pass" https://x/?auth=hunter2pass
      https://x/?Signature=hunter2pass&Expires=1 https://x/#id_token=hunter2pass
      wss://x/?access_token=hunter2pass https://x/reset?password=hunter2pass https://x?key=hunter2pass
      sftp://ana:hunter2pass@h/x ftp://ana:hunter2pass@h https://oauth2:hunter2pass@gitlab.com/x
      https://x-access-token:hunter2pass@github.com/x redis://default:hunter2pass@h:6379
      mysql+pymysql://ana:hunter2pass@h/x ldap://cn=x:hunter2pass@h <Password>hunter2pass</Password>
      <api-key>hunter2pass</api-key> <server><username>ana</username><password>hunter2pass</password></server>
      &lt;password&gt;hunter2pass&lt;/password&gt; password=%22hunter2pass%22 password%3A%20hunter2pass
      トークン：hunter2pass パスワード「hunter2pass」 パスワードは「hunter2pass」です psk="hunter2pass" PASSWORD=>hunter2pass
      password~hunter2pass password|hunter2pass password/hunter2pass`),
    "my password's hunter2pass",
    "login/password: ana/hunter2pass",
    "DB credentials are ana and hunter2pass",
    "password\n```\nhunter2pass\n```",
    "Here is the token:\n\nhunter2pass\n\nthanks",
    "Data Source=x;PWD=hunter2pass",
    '{"password":\n  "hunter2pass"}',
    "args: [--token, hunter2pass]",
    "gpg --passphrase 'hunter2 pass hunter2pass'",
    "openssl enc -k hunter2pass",
    "ssh-keygen -N hunter2pass",
    "http -a ana:hunter2pass x",
    'curl -H "Authorization: Bearer $(echo hunter2pass)"',
    "curl -b 'sid=hunter2pass'",
    "curl --cookie 'sid=hunter2pass'",
    'curl -d \'{"password":"hunter2pass"}\'',
    "kubectl create secret generic x --from-literal=foo=hunter2pass",
    'env:\n  - name: API_TOKEN\n    value: "hunter2pass"',
    "password: &pw hunter2pass",
    "password: 'hun''ter hunter2pass'",
    'set "PASSWORD=hunter2pass"',
    "local pass=hunter2pass",
    `PASSWORD="$\{PASSWORD:=hunter2pass}"`,
    "cmdkey /add:x /user:ana /pass:hunter2pass",
    "net use z: \\\\srv\\x hunter2pass /user:ana",
    "req.setHeader('Authorization', 'Bearer hunter2pass')",
    "Sec-WebSocket-Protocol: token, hunter2pass",
    "<password>\n  hunter2pass\n</password>",
    '<string name="api_key">hunter2pass</string>',
    "<key>password</key>\n<string>hunter2pass</string>",
    '<setting name="Password"><value>hunter2pass</value></setting>',
    '<input value="hunter2pass" name="password">',
    "| name | value |\n|---|---|\n| password | hunter2pass |\n| token | hunter2pass |",
    "key\tvalue\nDB_PASSWORD\thunter2pass",
    "пароль — hunter2pass",
    "recovery codes: hunter2pass hunter2pass",
    "password (old): hunter2pass, new: x",
    "Changed the password from hunter2pass to hunter2pass",
    "tokens: [hunter2pass, hunter2pass]",
    "secrets:\n  - hunter2pass\n  - hunter2pass",
    "username ana password 7 hunter2pass",
    "userPassword:: aHVudGVyMnBhc3M=",
    "htpasswd -nb ana hunter2pass",
    "password=hunter2pass\\nuser=x",
    "password\\hunter2pass",
  ],
  "values beside their names": [
    ...words(`{"value":"hunter2pass","name":"API_TOKEN"} WIFI:T:WPA;S:net;P:hunterpass;; ::add-mask::hunterpass
      -Dsonar.login=hunterpass`),
    "- value: 'hunter2pass'\n  name: API_TOKEN",
    'variable "db_password" {\n  type = string\n  default = "hunter2pass"\n}',
    "password:\n  description: of the database\n  default: hunter2pass",
    'requests.get(url, auth=("ana", "hunter2pass"))',
    "HTTPBasicAuth('ana', 'hunter2pass')",
    'smtp.login("ana@example.com", "hunter2pass")',
    "kind: Secret\nmetadata:\n  name: db\nstringData:\n  url: hunter2pass\n",
    "apiVersion: v1\ndata:\n  url: aHVudGVyMnBhc3M=\nkind: Secret\n",
    '{"kind": "Secret", "data": {"url": "aHVudGVyMnBhc3M="}}',
    "password? hunter2pass",
    "log in with ana / hunter2pass",
    "masterauth hunter2pass",
  ],
  "options of programs": [
    "vault login hunter2pass",
    "lftp -u ana,hunterpass host",
    "snmpwalk -v3 -u ana -A hunterpass -X hunterpass host",
    "kinit ana <<< hunterpass",
    "mosquitto_pub -u ana -P hunterpass -t x",
    "cqlsh -u ana -p hunterpass",
    "dotnet nuget push a.nupkg -k hunterpass",
  ],
  "private keys": [
    `-----BEGIN ${"OPENSSH"} PRIVATE KEY-----\nhunter2pass\n-----END OPENSSH PRIVATE KEY-----`,
    `-----BEGIN ENCRYPTED ${"PRIVATE"} KEY-----\nhunter2pass`,
    `"-----BEGIN ${"PRIVATE"} KEY-----\\nhunter2pass\\n-----END PRIVATE KEY-----\\n"`,
    `-----BEGIN PGP ${"PRIVATE"} KEY BLOCK-----\n\nhunter2pass\n-----END PGP PRIVATE KEY BLOCK-----`,
    `---- BEGIN SSH2 ENCRYPTED ${"PRIVATE"} KEY ----\nhunter2pass\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
    "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 1\nhunter2pass\nPrivate-MAC: 00",
  ],
};

/** How keys begin, and how many characters follow at least; `x` for digits and small letters up to f. */
const BEGINNINGS = words(`https://discord.com/api/webhooks/1234567890/…60 MTIzNDU2Nzg5MDEyMzQ1Njc4.Gabcde.…38
  https://x.webhook.office.com/webhookb2/…60 https://hooks.slack.com/triggers/…40 sk-…20 sk-ant-api03-…40
  sk-proj-…40 sk-or-v1-…40x xai-…40 gsk_…40 pplx-…40 nvapi-…40 r8_…37 hf_…34 lsv2_pt_…32x pcsk_…40 tvly-…32
  gho_…36 ghu_…36 ghs_…36 ghr_…36 glrt-…20 gldt-…20 GR1348941…20 ATATT3…60 ATBB…32 ABSK…110 ya29.…60 GOCSPX-…28
  1//0…60 abc1Q~…34 LTAI…20 AQVN…36 dop_v1_…64x doo_v1_…64x fo1_…43 fm2_…100 nfp_…40 pscale_pw_…40
  pscale_tkn_…40 sbp_…40x sb_secret_…30 dapi…32x sntrys_…60 sntryu_…64x dp.pt.…43 dp.st.dev.…43 hvs.…90 hvb.…138
  aB3dE5gH7jK9mN.atlasv1.…60 A3-ABC123-ABC123-ABC12-…11 ops_eyJ…250 AGE-SECRET-KEY-1…58 xoxp-…40 xoxe.xoxb-1-…60
  xapp-1-…40 123456789:AA…33 SK…32x AC…32x key-…32x xkeysib-…64x PMAK-…40x re_aB3dE5gH_…24 rk_live_…24
  sk_test_…24 whsec_…32 EAAA…60 sq0atp-…22 sq0csp-…43 shpat_…32x shpss_…32x EAAM…100 npm_…36
  pypi-AgEIcHlwaS5vcmc…60 rubygems_…48x dckr_pat_…27 AKCp…69 CCIPAT_…40 bkua_…40x pul-…40x glc_…40 glsa_…40
  NRAK-…27 dt0c01.…24 phx_…40 lin_api_…40 ntn_…46 secret_…43 figd_…40 tskey-auth-…30 sha256~…43 $2b$12$…53
  $argon2id$v=19$…60 {SSHA}…32 LS0tLS1CRUdJTi…60 ghp_…36 github_pat_…40 AIza…35 xoxb-123456789012-…12
  SG.aB3dE5gH7jK9mN1pQ2rS4t.…43 eyJhbGciOiJIUzI1NiJ9.…40 glpat-…20 sk_live_…24
  https://hooks.slack.com/services/T00/B00/…24`);

test("keys of services are masked by how they begin", () => {
  const keys = BEGINNINGS.map((said) => {
    const [, beginning = "", count, of] = /^(.+)…(\d+)(x?)$/.exec(said) ?? [];
    return beginning + (of === "x" ? "0123456789abcdef".repeat(10) : random(200)).slice(0, Number(count));
  });
  keys.push(`AKIA${random(16).toUpperCase()}`);
  const around = [
    (key: string) => `see ${key} there`,
    (key: string) => `"${key}"`,
    (key: string) => `x=${key}&y`,
  ];
  const kept = keys
    .flatMap((key) => around.map((wrap) => maskSecrets(wrap(key))))
    .filter((text) => /[A-Za-z0-9]{10,}/.test(text));
  assert.deepEqual(kept, []);
  // Each of them finds one of these, or of the ones above.
  const all = [...keys, ...Object.values(FORMS).flat()];
  const unseen = SERVICE_KEYS.filter(([, pattern]) => !all.some((text) => pattern.test(text)));
  assert.deepEqual(unseen, []);
});

test("the page on capture promises what is done", () => {
  const page = readFileSync("docs/capture.md", "utf8");
  const rows = [...page.matchAll(/^\|[^|\n]*\| `((?:\\\||[^|\n])+)` \| `((?:\\\||[^|\n])+)` \|$/gm)];
  assert.ok(rows.length > 15);
  const cell = (text = "") => text.replaceAll("\\|", "|");
  assert.deepEqual(
    rows.map(([, text]) => maskSecrets(cell(text))),
    rows.map(([, , kept]) => cell(kept)),
  );
});

/** What a note may say of secrets without one. */
const WORDS = [
  ...words(`https://store.example.com/app?appid=1091500 ["mysql","-p","shop"]
      src/transports/http/oauth/authorization-server-metadata.ts
      https://example.com/a/very/long/path/With/Capitals/And/123/Numbers
      thisIsAVeryLongNameOfAFunctionInSomeLibraryWithoutDigits max_tokens=4096
      password_file=/run/secrets/db PWD=/home/ana/project http://localhost:3000/@vite/client
      https://registry.npmjs.org/@scope/pkg git@github.com:ana/repo.git npm:react@18.2.0
      mailto:bob1@example.com`),
  "msbuild x.sln /p:Configuration=Release /t:Build",
  "https://ana@example.com/x and ssh://git@github.com/a",
  "https://username@example.com and https://medium.com/@anagarcia",
  'required: ["email", "password"]',
  '["password", "email"]',
  '["user", "password", "created_at"]',
  '["password", "token"]',
  'it("password", "is asked for")',
  "pick('token', 'expires_in')",
  "// ask: ana@example.com",
  "The token bucket refills 50 times per second, at most 5,000 a day.",
  "Commit 9b2f4f0c1d2e3a4b5c6d7e8f9a0b1c2d3e4f5a6b fixes it",
  "Add secret rotation to the API",
  "password: see the vault",
  "token count: 5,000",
  "key: value",
  "Note: the key is under the mat",
  "primary key: id",
  "PASS: 12, FAIL: 0",
  "The first pass: done",
  "token_type: bearer",
  "secretName: db-credentials",
  "The `--token` flag is required",
  `password: $\{PASSWORD}`,
  "password: $DB_PASSWORD",
  `password: $\{{ secrets.DB_PASSWORD }}`,
  "token: process.env.TOKEN",
  "password: <password>",
  "password: ********",
  "password = getPassword()",
  "password: string;",
  "const token: string | undefined",
  "password:\n\nOpen the vault to see it.",
  "secret:\n  secretKeyRef:\n    name: db\n",
  'password = os.getenv("DB_PASSWORD")',
  "Rotate the API key of postgres16 and node22 before 2026-11-20, see docs/keys2.md",
  "The token endpoint of OAuth2 is /oauth2/token",
  "The secret is in 004-rotate-keys, commit abc1234def5",
  "Rotate the signing keys, and say what is left.",
  "The password field is empty",
  "Session 0f8fad5b-d9cb-469f-a165-70867728950e ended",
  "docker run -p 8080:80 -u 1000:1000 nginx",
  "mysql -P 3306 -h db",
  "Basic authentication is off",
  "auth: oauth2 with PKCE",
  "The cookie banner is gone",
  "The passenger list has 40 rows",
  "bypass: see 001-rotate-keys",
  "| token | meaning |\n|---|---|\n",
  "tokenizer: cl100k",
  "The monkey is 3 years old",
  "Due: 2026-11-20, priority: high, owner: ana",
  "We hash passwords with argon2id",
  "The token expires in 30min",
  "See [[004-rotate-keys]] and docs/security.md",
  "feat(auth): rotate keys (#123)",
  "if (token !== other.token) return false;",
  "const password = options.password;",
  "curl -u $USER:$PASS https://example.com",
  `curl -u "$USER:$\{PASS}" https://example.com`,
  "at tests/password.test.ts:12",
  "Use the password manager 1Password for it.",
  "fetch(url, { credentials: 'same-origin' })",
  "credentials: include",
  '<label for="token">Token</label>',
  "kind: ConfigMap\ndata:\n  url: https://example.com\n",
  "vault login -method=oidc",
];

for (const [from, texts] of Object.entries(FORMS))
  test(`a password is masked in ${from}`, () => {
    const shown = texts.map((text) => [text, maskSecrets(text)]);
    const leaked = shown.filter(
      ([, masked = ""]) => !masked.includes(MASK) || /hunter|HUNTER|aHVudGVyMnBhc3M/.test(masked),
    );
    assert.deepEqual(leaked, []);
  });

test("each way to write a secret is masked within a sentence and within a list, too", () => {
  const around = [
    (text: string) => `Use this: ${text} please`,
    (text: string) => `- one\n- ${text}\n- three`,
  ];
  const texts = Object.values(FORMS)
    .flat()
    .filter((text) => !text.includes("\n") && !/^(?:root|db\.example|\*:)/.test(text));
  const shown = around.flatMap((wrap) => texts.map((text) => [wrap(text), maskSecrets(wrap(text))]));
  assert.deepEqual(
    shown.filter(([, masked = ""]) => /hunter/i.test(masked)),
    [],
  );
});

test("words, hashes of commits, paths, numbers and placeholders are not", () => {
  assert.deepEqual(WORDS.map(maskSecrets), WORDS);
});

test("what is masked stays as it is when it is masked again", () => {
  for (const text of Object.values(FORMS).flat())
    assert.equal(maskSecrets(maskSecrets(text)), maskSecrets(text));
});

test("masking takes time in proportion to the text", () => {
  const parts = [
    ...words(`a:// a://b: password= password=' aB1 eyJ. [a token token- <password> |password| a:1:b: ?token= &key
      x.atlasv1 パスワード password( _ A 0 - . $`),
    "password ",
    'password: "',
    "-----BEGIN PRIVATE KEY-----",
    "git commit ",
    "token ",
    "<a ",
    "<a b",
    "a,password\n",
    '\\\\"',
    'password\\"',
    "`",
    "curl -u ",
    "mysql ",
    "echo ",
    "cookie: a=",
    "authorization: digest ",
    "password |\n  ",
    "Private-Lines: 1\n",
    "password is to ",
    "key a b ",
    "password:\n",
    "**password** ",
    `$\{PASSWORD:-`,
  ];
  assertProportionate(parts, maskSecrets, 10_000);
});
