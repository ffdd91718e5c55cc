// stub
export function PeoplePage() {
  return <p>PeoplePage</p>;
}
