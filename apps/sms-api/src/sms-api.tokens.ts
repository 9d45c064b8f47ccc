/** The settings of this service, for injection. */
export const SMS_API_SETTINGS = Symbol('SmsApiSettings');
