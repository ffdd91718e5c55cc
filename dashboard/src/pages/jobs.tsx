// stub
import { Page } from '../parts/basics.tsx';
export function JobsPage() {
  return (
    <Page title="Jobs">
      <p>x</p>
    </Page>
  );
}
