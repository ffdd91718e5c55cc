// Declares that importing a migration gives its text.
declare module '*.sql' {
  const text: string;
  export default text;
}
