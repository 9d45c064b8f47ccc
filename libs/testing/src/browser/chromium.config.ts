/** The browser of the tests: the one that CHROMIUM_PATH names, else Debian's. */
export const chromiumPath = (): string => process.env['CHROMIUM_PATH'] || '/usr/bin/chromium';
