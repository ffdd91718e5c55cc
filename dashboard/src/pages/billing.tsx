// stub
export function BillingPage() {
  return <p>BillingPage</p>;
}
