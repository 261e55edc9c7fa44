export function BoardView() {
  return <h1>board</h1>;
}
