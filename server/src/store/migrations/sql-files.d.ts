// Declares that importing a migration returns its text.
declare module '*.sql' {
  const text: string;
  export default text;
}
