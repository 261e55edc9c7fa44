export function SearchView() {
  return <h1>search</h1>;
}
