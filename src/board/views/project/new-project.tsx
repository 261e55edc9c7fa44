import { changing } from "../../changes.ts";
import { FormDialog } from "../../dialog.tsx";
import { say, words } from "../../language.ts";
import { navigate } from "../../route.ts";

export function NewProject({ onClose }: { onClose(): void }) {
  const submit = async (form: HTMLFormElement) => {
    const name = String(new FormData(form).get("name")).trim();
    const change = changing();
    const { project } = await change.call<{ project: string }>("init_project", { project: name });
    onClose();
    navigate("project", { name: project });
    change.done(say(words.project.created, { name: project }), () => navigate("board"));
  };
  return (
    <FormDialog title={words.project.create} action={words.board.create} submit={submit} onClose={onClose}>
      <label>
        {words.project.name}
        <input name="name" required autoComplete="off" spellcheck={false} aria-describedby="project-hint" />
      </label>
      <p id="project-hint" class="soft">
        {words.project.nameHint}
      </p>
    </FormDialog>
  );
}
