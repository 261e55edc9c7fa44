/** A Japanese project: a note app that works offline. Paths lie below the project; `{today-3}` stands for the date three days ago. */
export const kiroku: Readonly<Record<string, string>> = {
  "status.md": `---
project: kiroku
type: status
updated: {today-1}
owner: haruka
tags: [メモ, アプリ]
---
# kiroku(メモアプリ)

オフラインでも使えるメモアプリ。メモは端末に Markdown で保存し、必要なときだけサーバーと同期する。

## 現在の状況
全文検索はベータ版で公開済み。現在は認証トークンの導入(003)を進めている。トークンの発行と検証は動いており、残りは自動更新と失効処理である。

- 完了: 001、002
- 進行中: 003
- ブロック中: 004
- 未着手: 005、006

## ブロッカー
- 004 端末間の同期: 競合したメモの扱いについて、デザインチームの結論を待っている。

## 次にやること
1. 認証トークンの自動更新を仕上げる(003)。
2. 検索結果のハイライト表示(005)に着手する。前提となるタスクはすべて完了している。
`,
  "tasks/001-メモの保存形式を決める.md": `---
tags: [設計, 保存]
owner: haruka
updated: {today-28}
---
# Task: メモの保存形式を決める

Status: done

## Objective
アプリがなくなってもメモを読めるように、特別なソフトを必要としない保存形式を選ぶ。

## Context
- Related files: \`src/storage/note-file.ts\`

## Steps
1. [x] Markdown と独自形式を比較する
2. [x] フロントマターの項目を決める
3. [x] 書き込み中に電源が切れても壊れないことを確かめる

## Acceptance Criteria
- [x] メモ1件が1ファイルに対応している
- [x] 一般的なテキストエディタで開いて編集できる
`,
  "tasks/002-全文検索の索引を作る.md": `---
tags: [検索, 性能]
owner: sota
updated: {today-9}
---
# Task: 全文検索の索引を作る

Status: done

## Objective
1万件のメモから、2文字の言葉でも瞬時に見つけられる全文検索を実装する。

## Context
- Related files: \`src/search/tokenizer.ts\`, \`src/search/index.ts\`
- Dependencies: 001-メモの保存形式を決める

## Steps
1. [x] 日本語の文章を2文字ずつに区切って索引に登録する
2. [x] 全角と半角、大文字と小文字を区別しない
3. [x] 変更されたメモだけを索引に反映する

## Acceptance Criteria
- [x] 1万件のメモに対する検索が100ミリ秒以内に終わる
- [x] 「東京都」を含むメモが「京都」だけの完全一致より上に来ない

## Notes
形態素解析は辞書が大きく、アプリの容量に見合わないため採用しなかった。
`,
  "tasks/003-認証トークンを導入する.md": `---
tags: [認証, セキュリティ]
owner: haruka
---
# Task: 認証トークンを導入する

Status: in-progress

## Objective
同期サーバーへのすべてのリクエストを、有効期限つきの認証トークンで保護する。

## Context
- Related files: \`src/auth/token.ts\`, \`src/auth/refresh.ts\`
- Dependencies: 001-メモの保存形式を決める

## Steps
1. [x] トークンを発行し、ハッシュ値だけをサーバーに保存する
2. [x] リクエストごとに署名と有効期限を検証する
3. [ ] 期限が切れる前にトークンを自動で更新する
4. [ ] 端末を紛失したときにトークンを失効させる

## Acceptance Criteria
- [ ] 期限切れのトークンには 401 を返し、アプリが再ログインを促す
- [ ] ログにトークンの値が一切残らない
- [ ] オフラインの間もメモの閲覧と編集ができる
`,
  "tasks/004-端末間の同期を実装する.md": `---
tags: [同期]
owner: sota
priority: high
---
# Task: 端末間の同期を実装する

Status: blocked

## Objective
スマートフォンとパソコンで同じメモを編集しても、どちらの変更も失われないようにする。

## Context
- Related files: \`src/sync/merge.ts\`
- Dependencies: 003-認証トークンを導入する

## Steps
1. [x] 変更履歴をメモごとに記録する
2. [ ] 競合を検出し、両方の版を残す
3. [ ] 通信が途切れたところから再開する

## Acceptance Criteria
- [ ] 同じ行を同時に編集しても、内容が黙って消えることはない
- [ ] 1,000件の初回同期が1分以内に終わる

## Notes
競合したメモを一覧に並べて見せるか、1件にまとめるかが未定。デザインチームの判断待ち。
`,
  "tasks/005-検索結果のハイライト表示.md": `---
tags: [検索, 画面]
due: {today+12}
---
# Task: 検索結果のハイライト表示

Status: pending

## Objective
検索語がメモのどこに現れたのかを、前後の文章とともに強調して表示する。

## Context
- Dependencies: 002-全文検索の索引を作る

## Steps
1. [ ] 一致した箇所の前後40文字を切り出す
2. [ ] 絵文字や結合文字の途中で切らない
3. [ ] スクリーンリーダーにも強調を伝える

## Acceptance Criteria
- [ ] 一覧を開いたまま、一致した箇所へ移動できる
`,
  "tasks/006-添付画像の保管を見直す.md": `# Task: 添付画像の保管を見直す

Status: pending

## Objective
添付画像の重複をなくし、端末の空き容量を圧迫しないようにする。

## Context
- Dependencies: 004-端末間の同期を実装する

## Steps
1. [ ] 画像のハッシュ値で重複を見つける
2. [ ] 一覧用の縮小画像だけを端末に残す

## Acceptance Criteria
- [ ] 同じ画像を2回添付しても容量が増えない
- [ ] メモを削除すると、使われていない画像も消える
`,
  "plans/execution-plan.md": `---
type: plan
updated: {today-3}
---
# Execution Plan — kiroku

## Overview
検索、認証、同期の順に機能をそろえ、3台までの端末で安心して使えるメモアプリとして正式公開する。

## Current Status
- done: 001, 002
- in-progress: 003
- blocked: 004
- pending: 005, 006

## 進め方
001 → 002 → 005、001 → 003 → 004 → 006。005 は同期と関係がないため、004 を待たずに進められる。

## Decisions
- **保存形式は Markdown とする。** 利用者が自分のメモを持ち出せることを最優先にした。
- **索引は2文字単位(バイグラム)で作る。** 辞書が不要で、新語や固有名詞も取りこぼさない。
- **認証トークンの有効期限は30分とする。** 短くする代わりに、更新は利用者に意識させない。
- **競合したときは両方の版を残す。** 自動で結合して文章が壊れるよりも、選び直せるほうがよい。
`,
  "sessions/{today-9}.md": `# Session Log - {today-9}

## やったこと
- 全文検索の索引(002)を仕上げた。1万件で平均38ミリ秒。
- 半角カタカナのメモが見つからない不具合を修正した。正規化の順序が逆だった。

## 次にやること
- 認証トークン(003)の設計を文書にまとめる。
`,
  "sessions/{today-3}.md": `# Session Log - {today-3}

## やったこと
- 認証トークンの発行と検証を実装した。
- 端末の時計がずれていると検証に失敗するため、前後60秒の誤差を許すことにした。

## ブロックされていること
- 同期(004)は、競合したメモの見せ方が決まらず止まっている。

## 次にやること
- トークンの自動更新を書き始める。
`,
  "sessions/{today-1}.md": `# Session Log - {today-1}

## やったこと
- 自動更新を試作した。複数の画面が同時に更新を要求し、古いトークンが先に失効する問題を再現できた。
- 更新の要求を1本にまとめる方針を決めた。

## ブロックされていること
- 004 の状況は変わらず。デザインチームの打ち合わせは来週の予定。

## 次にやること
- 自動更新のテストを追加し、失効処理に進む。
`,
  "references/認証トークン設計.md": `---
type: reference
tags: [認証, api]
updated: {today-8}
---
# 認証トークンの設計

アクセストークンは短命、更新トークンは長命とし、役割を分ける。

| 種類 | 有効期限 | 保存場所 | 失効の条件 |
|---|---|---|---|
| アクセストークン | 30分 | メモリ | 期限切れ |
| 更新トークン | 60日 | 端末の鍵保管領域 | ログアウト、端末の紛失 |

## 更新の流れ

\`\`\`ts
async function refreshAccessToken(device: Device): Promise<AccessToken> {
  pending ??= requestToken(device).finally(() => { pending = undefined; });
  return pending;
}
\`\`\`

同時に何度呼ばれても、サーバーへの要求は1回になる。401 を受け取ったときも、再試行は1回だけ行う。
`,
  "references/検索の仕組み.md": `---
type: reference
updated: {today-30}
---
# 検索の仕組み

## 索引の作り方
「全文検索」は「全文」「文検」「検索」の3つに区切って登録する。英数字は単語のまま扱い、前方一致で探す。

## 確認用のクエリ

\`\`\`sql
/* 説明用の架空の行:
Status: fake
*/
SELECT note_id, count(*) AS hits
FROM bigrams
WHERE gram IN ('全文', '文検', '検索')
GROUP BY note_id
HAVING count(*) = 3;
\`\`\`

## 並び順
題名での一致を本文より重く見る。同点のときは、更新日の新しいメモを先に出す。
`,
  "changelog/v0.8.0.md": `---
type: changelog
updated: {today-7}
---
# v0.8.0({today-7})

## 追加
- 全文検索(ベータ版)。2文字から検索できる。
- 検索履歴を端末に保存する設定。

## 修正
- 半角カタカナと全角カタカナを同じ文字として扱う。
- 長いメモを開いたときに画面が固まる不具合。
`,
  "reports/検索の性能測定.md": `---
type: report
updated: {today-6}
---
# 検索の性能測定

3年前に発売された中価格帯のスマートフォンで測定した。

| メモの件数 | 索引の大きさ | 平均 | 最も遅い1% |
|---|---|---|---|
| 1,000件 | 2.1 MB | 9ミリ秒 | 21ミリ秒 |
| 10,000件 | 19 MB | 38ミリ秒 | 84ミリ秒 |
| 50,000件 | 94 MB | 171ミリ秒 | 402ミリ秒 |

## まとめ
目標の100ミリ秒は1万件まで達成した。5万件では索引の分割を検討する。
`,
};
