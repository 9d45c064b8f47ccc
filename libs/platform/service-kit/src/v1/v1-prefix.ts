/** The path prefix of the v1 API. */
export const V1_PREFIX = '/api/v1/';
