/** Whether `npm test` found no plpgsql_check and could not install it. */
export const isCheckUnavailable = (): boolean => process.env['PLPGSQL_CHECK'] === 'unavailable';
