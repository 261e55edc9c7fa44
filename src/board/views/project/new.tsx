import { useState } from "preact/hooks";
import { changing } from "../../changes.ts";
import { Dialog } from "../../dialog.tsx";
import { words } from "../../language.ts";
import { messageOf } from "../../notices.ts";
import { navigate } from "../../route.ts";

export function NewProject({ onClose }: { onClose(): void }) {
  const [problem, setProblem] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setSaving(true);
    try {
      const change = changing();
      const { project } = await change.call<{ project: string }>("init_project", {
        project: String(fields.get("name")).trim(),
      });
      onClose();
      navigate("project", { name: project });
      change.done(words.project.created(project), () => navigate("project"));
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  };
  return (
    <Dialog title={words.project.create} onClose={onClose}>
      <form class="project-new" onSubmit={(event) => void submit(event)}>
        <label>
          {words.project.name}
          <input name="name" required autoComplete="off" spellcheck={false} aria-describedby="project-hint" />
        </label>
        <p id="project-hint" class="soft">
          {words.project.nameHint}
        </p>
        {problem !== undefined && (
          <p class="problem-text" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="main" disabled={isSaving}>
          {words.board.create}
        </button>
      </form>
    </Dialog>
  );
}
