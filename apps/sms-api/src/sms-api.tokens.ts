/** Injection token of the service config. */
export const SMS_API_SETTINGS = Symbol('SmsApiSettings');
