// Style sheets are taken in by the bundler and export nothing.
declare module '*.css';
