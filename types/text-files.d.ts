/** The text of a SQL file. */
declare module '*.sql' {
  const text: string;
  export default text;
}

/** The text of a style sheet that a service sends. */
declare module '*.css' {
  const text: string;
  export default text;
}

/** The text of a script that a service sends to browsers. */
declare module '*.client.mjs' {
  const text: string;
  export default text;
}
