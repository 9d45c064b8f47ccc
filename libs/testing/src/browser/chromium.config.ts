/** The browser of the tests: CHROMIUM_PATH, or by default the Chromium package of Debian. */
export const chromiumPath = (): string => process.env['CHROMIUM_PATH'] || '/usr/bin/chromium';
