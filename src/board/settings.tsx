import { Choice } from "./choice.tsx";
import { Dialog } from "./dialog.tsx";
import { LANGUAGE_NAMES, words } from "./language.ts";
import { chooseLanguage, chooseTheme, chosenLanguage, chosenTheme } from "./preferences.ts";

/** How the page looks in this browser. */
export function Settings({ onClose }: { onClose(): void }) {
  const { settings } = words;
  return (
    <Dialog title={settings.title} onClose={onClose}>
      <div class="settings">
        <Choice
          label={settings.theme}
          value={chosenTheme()}
          options={[
            ["", settings.asSystem],
            ["light", settings.light],
            ["dark", settings.dark],
          ]}
          onChoose={chooseTheme}
        />
        <Choice
          label={settings.language}
          value={chosenLanguage()}
          options={[["", settings.asBrowser], ...Object.entries(LANGUAGE_NAMES)]}
          onChoose={chooseLanguage}
        />
      </div>
    </Dialog>
  );
}
