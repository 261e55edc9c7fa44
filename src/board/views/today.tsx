export function TodayView() {
  return <h1>today</h1>;
}
