/** The text of a SQL file. */
declare module '*.sql' {
  const text: string;
  export default text;
}

/** The text of a style sheet that a service serves. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** The text of a script that a service serves. */
declare module '*.client.mjs' {
  const text: string;
  export default text;
}
