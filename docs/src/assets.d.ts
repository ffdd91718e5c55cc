// Declares that importing the script of the pages returns its text.
declare module '*/script.js' {
  const text: string;
  export default text;
}
