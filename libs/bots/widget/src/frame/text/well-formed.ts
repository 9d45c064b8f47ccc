const UNKEEPABLE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Removes NUL and unpaired surrogates, which the server rejects. */
export const wellFormed = (text: string): string => text.replace(UNKEEPABLE, '');
