import { route } from "../../route.ts";
import { useStore } from "../../store.ts";
import { ProjectList } from "./list.tsx";
import { ProjectPage } from "./page.tsx";
import "./project.css";

export function ProjectView() {
  const name = useStore(route, ({ parameters }) => parameters["name"]);
  return name === undefined ? <ProjectList /> : <ProjectPage key={name} name={name} />;
}
