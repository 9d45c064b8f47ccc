/** A stylesheet of the loader, minified, as text: it is adopted, never linked. */
declare module '*.css' {
  const text: string;
  export default text;
}
