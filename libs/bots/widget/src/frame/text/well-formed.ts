const UNKEEPABLE = /\u0000|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text that the server can keep: without NUL and halves of surrogate pairs, which it would refuse. */
export const wellFormed = (text: string): string => text.replace(UNKEEPABLE, '');
