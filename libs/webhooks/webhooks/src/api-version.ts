/** Date of the newest format of the payloads. A subscription keeps the one that it was created with. */
export const API_VERSION = '2026-11-23';
