import { Dialog } from "./dialog.tsx";
import { LANGUAGE_NAMES, words } from "./language.ts";
import { chooseLanguage, chooseTheme, chosenLanguage, chosenTheme } from "./preferences.ts";

/** How the page looks in this browser. */
export function Settings({ onClose }: { onClose(): void }) {
  const { settings } = words;
  return (
    <Dialog title={settings.title} onClose={onClose}>
      <div class="settings">
        <label>
          {settings.theme}
          <select value={chosenTheme()} onChange={({ currentTarget }) => chooseTheme(currentTarget.value)}>
            <option value="">{settings.asSystem}</option>
            <option value="light">{settings.light}</option>
            <option value="dark">{settings.dark}</option>
          </select>
        </label>
        <label>
          {settings.language}
          <select
            value={chosenLanguage()}
            onChange={({ currentTarget }) => chooseLanguage(currentTarget.value)}
          >
            <option value="">{settings.asBrowser}</option>
            {Object.entries(LANGUAGE_NAMES).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
    </Dialog>
  );
}
