/** Date of the newest payload format. A subscription keeps the format with which it was created. */
export const API_VERSION = '2026-11-23';
