// stub
export function App() { return <p>hi</p>; }
