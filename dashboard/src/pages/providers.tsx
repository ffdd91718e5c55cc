// stub
export function ProvidersPage() {
  return <p>ProvidersPage</p>;
}
