/** A Japanese project: a note app that works offline. Paths lie below the project; `{today-3}` stands for the date three days ago. */
export const kiroku: Readonly<Record<string, string>> = {
  "status.md": `# kiroku(メモアプリ)

オフラインでも使えるメモアプリ。メモは端末に Markdown で保存し、必要なときだけサーバーと同期する。

## 現在の状況
全文検索はベータ版で公開済み。現在は認証トークンの導入(003)を進めている。

## ブロッカー
- 004 端末間の同期: 競合したメモの扱いについて、デザインチームの結論を待っている。
`,
  "tasks/001-メモの保存形式を決める.md": `# Task: メモの保存形式を決める

Status: done

## Objective
アプリがなくなってもメモを読めるように、特別なソフトを必要としない保存形式を選ぶ。
`,
  "tasks/002-全文検索の索引を作る.md": `# Task: 全文検索の索引を作る

Status: done

## Objective
1万件のメモから、2文字の言葉でも瞬時に見つけられる全文検索を実装する。

## Context
- Dependencies: 001-メモの保存形式を決める
`,
  "tasks/003-認証トークンを導入する.md": `---
owner: haruka
tags: [認証, セキュリティ]
---
# Task: 認証トークンを導入する

Status: in-progress

## Objective
同期サーバーへのすべてのリクエストを、有効期限つきの認証トークンで保護する。

## Context
- Dependencies: 001-メモの保存形式を決める

## Steps
1. [x] トークンを発行し、ハッシュ値だけをサーバーに保存する
2. [ ] 期限が切れる前にトークンを自動で更新する
`,
  "tasks/004-端末間の同期を実装する.md": `---
owner: sota
---
# Task: 端末間の同期を実装する

Status: blocked

## Objective
スマートフォンとパソコンで同じメモを編集しても、どちらの変更も失われないようにする。

## Context
- Dependencies: 003-認証トークンを導入する
`,
  "tasks/005-検索結果のハイライト表示.md": `---
due: {today+12}
---
# Task: 検索結果のハイライト表示

Status: pending

## Objective
検索語がメモのどこに現れたのかを、前後の文章とともに強調して表示する。

## Context
- Dependencies: 002-全文検索の索引を作る
`,
  "plans/execution-plan.md": `# Execution Plan — kiroku

## Overview
検索、認証、同期の順に機能をそろえ、安心して使えるメモアプリとして正式公開する。

## Current Status
- done: 001, 002
- in-progress: 003
- blocked: 004
- pending: 005

## Decisions
- **認証トークンの有効期限は30分とする。** 短くする代わりに、更新は利用者に意識させない。
- **索引は2文字単位(バイグラム)で作る。** 辞書が不要で、新語や固有名詞も取りこぼさない。
`,
  "sessions/{today-1}.md": `# Session Log - {today-1}

## やったこと
- 認証トークンの発行と検証を実装した。

## ブロックされていること
- 同期(004)は、競合したメモの見せ方が決まらず止まっている。

## 次にやること
- トークンの自動更新を書き始める。
`,
  "references/認証トークン設計.md": `# 認証トークンの設計

| 種類 | 有効期限 | 保存場所 | 失効の条件 |
|---|---|---|---|
| アクセストークン | 30分 | メモリ | 期限切れ |
| 更新トークン | 60日 | 端末の鍵保管領域 | ログアウト、端末の紛失 |
`,
};
