// stub
export function RequestsPage() {
  return <p>RequestsPage</p>;
}
