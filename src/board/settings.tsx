import { useState } from "preact/hooks";
import { Choice } from "./choice.tsx";
import { Dialog } from "./dialog.tsx";
import { LANGUAGE_NAMES, words } from "./language.ts";
import { chooseNotice, isNoticed } from "./notice.ts";
import { chooseLanguage, chooseTheme, chosenLanguage, chosenTheme } from "./preferences.ts";

/** How the page looks in this browser, and whether it calls. */
export function Settings({ onClose }: { onClose(): void }) {
  const { settings } = words;
  const [isOn, setOn] = useState<boolean | undefined>(isNoticed);
  const notice = (isWanted: boolean) => {
    setOn(false);
    void chooseNotice(isWanted).then(setOn);
  };
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
        <label class="check">
          <input
            type="checkbox"
            checked={isOn ?? false}
            onChange={(event) => notice(event.currentTarget.checked)}
          />
          {settings.notice}
        </label>
        <p role="alert">{isOn === undefined && settings.noNotice}</p>
      </div>
    </Dialog>
  );
}
