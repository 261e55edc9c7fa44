export function ProjectView() {
  return <h1>project</h1>;
}
