// node health.js: exits with 0 if the service of this container is live, otherwise with 1. It loads nothing but node:http, because it
// runs every few seconds in every container: 63 ms of CPU time, of which starting Node.js takes 59; with fetch() it was 167.
const { get } = require('node:http');

const TIMEOUT_MS = 2_500;

const request = get(
  { host: '127.0.0.1', port: process.env.PORT || 3000, path: '/health/live', timeout: TIMEOUT_MS },
  ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
