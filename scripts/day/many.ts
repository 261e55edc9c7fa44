import type { Question, Work } from "./calls.ts";

/** What the notes of a language say: `{}` is a value that only one project has. */
interface Language {
  task: string;
  objective: string;
  steps: string;
  decisions: string;
  done: string;
  next: string;
  things: readonly string[];
  topics: readonly { title: string; says: string; question: string }[];
}

const LANGUAGES: readonly Language[] = [
  {
    task: "Check the {}",
    objective: "The {} shall be checked before each release, so that no customer meets an error there.",
    steps: "Steps",
    decisions: "Decisions",
    done: "Done",
    next: "Next",
    things: ["invoice export", "login form", "price list", "search page", "mail queue", "stock report"],
    topics: [
      {
        title: "Retries",
        says: "A failed delivery is repeated {} times, then it goes to the dead letter queue.",
        question: "How often is a failed delivery repeated?",
      },
      {
        title: "Keys",
        says: "Signing keys are replaced every {} days by the night job.",
        question: "When are the signing keys replaced?",
      },
    ],
  },
  {
    task: "Revisar {}",
    objective: "Hay que revisar {} antes de cada entrega, para que ningún cliente encuentre un error.",
    steps: "Pasos",
    decisions: "Decisiones",
    done: "Hecho",
    next: "Próximo",
    things: ["la factura", "el formulario", "la lista de precios", "el buscador", "la cola de correo"],
    topics: [
      {
        title: "Copias de seguridad",
        says: "Las copias de seguridad se guardan {} días en otro edificio.",
        question: "¿Cuánto tiempo se guardan las copias de seguridad?",
      },
      {
        title: "Devoluciones",
        says: "Un cliente puede devolver un pedido durante {} días sin dar razones.",
        question: "¿Hasta cuándo puede un cliente devolver un pedido?",
      },
    ],
  },
  {
    task: "{}を確認する",
    objective: "リリースの前に{}を確認し、利用者がエラーに出会わないようにする。",
    steps: "手順",
    decisions: "決定事項",
    done: "やったこと",
    next: "次にやること",
    things: ["請求書の出力", "ログイン画面", "価格表", "検索ページ", "メールの待ち行列"],
    topics: [
      {
        title: "予約の取り消し",
        says: "予約の取り消しは{}時間前まで無料とする。",
        question: "予約の取り消しは何時間前まで無料か",
      },
      {
        title: "監査ログ",
        says: "監査ログは{}か月保存し、その後は自動で消す。",
        question: "監査ログはどのくらい保存するか",
      },
    ],
  },
];

export const MANY = { projects: 8, tasks: 50 };
const nameOf = (n: number) => `shop-${n}`;
export const MANY_PROJECT = nameOf(1);
const languageOf = (n: number) => LANGUAGES[(n - 1) % LANGUAGES.length] as Language;
const answerOf = (n: number, topic: number) => `${n * 10 + topic + 3}`;
const two = (n: number) => `${n}`.padStart(2, "0");
const times = <T>(count: number, make: (n: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at + 1));

/** Notes of eight projects with fifty tasks each, in three languages. */
export function manyFiles(): [path: string, content: string][] {
  return times(MANY.projects, filesOf).flat();
}

function filesOf(n: number): [path: string, content: string][] {
  const language = languageOf(n);
  const says = language.topics.map(({ says }, at) => says.replace("{}", answerOf(n, at)));
  const thing = (at: number) => language.things[at % language.things.length] ?? "";
  const about = (text: string, at: number) => text.replace("{}", thing(at));
  const files: [path: string, content: string][] = [
    [
      "status.md",
      `# ${nameOf(n)}\n\n## ${language.decisions}\n\n${list(12, (at) => `- 2026-02-${two(at)}: ${about(language.objective, at)}`)}\n`,
    ],
    ["plans/execution-plan.md", `# Plan\n\n${list(20, (at) => `- ${about(language.task, at)}`)}\n`],
    ...language.topics.map(({ title }, at): [string, string] => [
      `references/topic-${at}.md`,
      `# ${title}\n\n${list(4, (line) => about(language.objective, line))}\n\n${says[at]}\n\n${list(4, (line) => about(language.task, line))}\n`,
    ]),
    ...times(10, (at): [string, string] => [
      `sessions/2026-03-${two(at)}.md`,
      `# Log\n\n## ${language.done}\n\n- ${about(language.objective, at)}\n\n## ${language.next}\n\n- ${about(language.task, at + 1)}\n`,
    ]),
    ...times(MANY.tasks, (at): [string, string] => [
      `tasks/${`${at}`.padStart(3, "0")}-t.md`,
      `# Task: ${about(language.task, at)} ${at}\n\nStatus: ${statusOf(at)}\n\n## Objective\n\n${about(language.objective, at)}\n\n## ${language.steps}\n\n${list(4, (step) => `${step}. [ ] ${about(language.task, at + step)}`)}\n`,
    ]),
  ];
  return files.map(([path, content]) => [`${nameOf(n)}/${path}`, content]);
}

function list(count: number, line: (n: number) => string): string {
  return times(count, line).join("\n");
}

function statusOf(at: number): string {
  if (at <= 34) return "done";
  if (at <= 36) return "in-progress";
  return at === 37 ? "blocked" : "pending";
}

/** Each question about a project of each language, and the value that answers it. */
export const MANY_WORK: Work = Object.fromEntries(
  ["First report", "Second report", "Third report"].map((title, at) => [title, questionsOn(at + 4)]),
);

function questionsOn(n: number): Question[] {
  return languageOf(n).topics.map(({ question, says }, at) => {
    const [before = "", after = ""] = says.split("{}");
    return { query: question, project: nameOf(n), says: `${before}${answerOf(n, at)}${after}` };
  });
}
