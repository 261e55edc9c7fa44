export function DocumentView() {
  return <h1>document</h1>;
}
