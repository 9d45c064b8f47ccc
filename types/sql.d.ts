/** The text of a SQL file. */
declare module '*.sql' {
  const text: string;
  export default text;
}
