// The bundler handles imports of style sheets; they export nothing.
declare module '*.css';
