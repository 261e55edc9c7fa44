import { inLanguage } from "../language.ts";

export const words = inLanguage({
  en: {
    footnotes: "Footnotes",
    back: "Back to reference",
    code: (language: string) => (language === "" ? "Code" : `Code: ${language}`),
    table: "Table",
    image: "Image",
    newTab: "opens in a new tab",
    task: "Checkbox",
    plain: "Shown as plain text: its Markdown would take too long to render.",
  },
  es: {
    footnotes: "Notas al pie",
    back: "Volver a la referencia",
    code: (language: string) => (language === "" ? "Código" : `Código: ${language}`),
    table: "Tabla",
    image: "Imagen",
    newTab: "se abre en una pestaña nueva",
    task: "Casilla",
    plain: "Se muestra como texto sin formato: tardaría demasiado en presentarse.",
  },
  ja: {
    footnotes: "脚注",
    back: "参照元に戻る",
    code: (language: string) => (language === "" ? "コード" : `コード: ${language}`),
    table: "表",
    image: "画像",
    newTab: "新しいタブで開きます",
    task: "チェックボックス",
    plain: "表示に時間がかかりすぎるため、書式なしで表示しています。",
  },
});
