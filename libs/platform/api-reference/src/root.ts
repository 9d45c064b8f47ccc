/** The path of the documentation. */
export const ROOT = '/docs';
