import {
  errorBody,
  NOT_FOUND_MESSAGE,
  RETRY_AFTER_SECONDS,
  SANE_REQUEST_ID,
  TOO_LARGE_MESSAGE,
  UNAVAILABLE_MESSAGE,
  UNREADABLE_MESSAGE,
} from '../gateway/error-bodies';
import { ROUTES, ROUTES_BY_LENGTH, type ErrorShape, type Route, type ServiceName } from '../routes';

/** The port of every service in its container. */
const SERVICE_PORT = 3000;
const LISTEN_PORT = 8080;

/** The production gateway's configuration, for the `http` context of nginx (a file in conf.d). */
export function nginxConfig(existing: readonly ServiceName[]): string {
  const shapes = [...new Set(ROUTES_BY_LENGTH.map(({ service }) => ROUTES[service].errorShape))].sort();
  return [
    '# Written by `npm run gateway:config` from tools/local-stack/src/routes.ts: change that, and write this anew.',
    '',
    ...existing.flatMap(upstream),
    ...MAPS,
    'server {',
    ...indent([
      `listen ${LISTEN_PORT};`,
      'server_tokens off;',
      'absolute_redirect off;',
      '# A path is compared and passed on as it came.',
      'merge_slashes off;',
      'large_client_header_buffers 4 16k;',
      'client_header_timeout 15s;',
      'keepalive_timeout 65s;',
      '',
      ...PROXYING,
      '',
      'default_type application/json;',
      'charset utf-8;',
      'charset_types application/json;',
      ...errorPages('messaging'),
      'error_page 400 414 =400 @messaging-unreadable;',
      '',
      '# "This folder" and "the one above" have no place in an API path.',
      'if ($ambiguous_path) { return 404; }',
      '',
      '# Of the gateway alone; each service is asked below it.',
      'location = /health/ready {',
      '    add_header X-Request-Id $reply_request_id always;',
      `    return 200 '{"status":"ok"}';`,
      '}',
      ...existing.flatMap((service) => [
        `location = /health/ready/${service} { proxy_pass http://${service}/health/ready; }`,
      ]),
      '',
      ...ROUTES_BY_LENGTH.flatMap((route) => location(route, existing.includes(route.service))),
      'location / { return 404; }',
      '',
      ...shapes.flatMap(answers),
      ...answer('messaging', 'unreadable', 400, 'INVALID_REQUEST', UNREADABLE_MESSAGE),
    ]),
    '}',
    '',
  ].join('\n');
}

function upstream(service: ServiceName): string[] {
  return [`upstream ${service} {`, `    server ${service}:${SERVICE_PORT};`, '    keepalive 64;', '}', ''];
}

const MAPS = [
  "# The caller's request id, when it is a sane one.",
  'map $http_x_request_id $reply_request_id {',
  `    "~${SANE_REQUEST_ID.source}" $http_x_request_id;`,
  '    default $request_id;',
  '}',
  'map $request_uri $ambiguous_path {',
  String.raw`    "~*^[^?]*(?:/(?:\.|%2e){1,2}(?:[/?]|$)|\\|%5c)" 1;`,
  '    default 0;',
  '}',
  '',
];

const PROXYING = [
  'proxy_http_version 1.1;',
  'proxy_set_header Connection "";',
  'proxy_set_header Host $http_host;',
  '# What came in is dropped: services trust this address alone.',
  'proxy_set_header X-Forwarded-For $remote_addr;',
  'proxy_set_header X-Forwarded-Proto $scheme;',
  'proxy_set_header X-Forwarded-Host $http_host;',
  'proxy_set_header X-Forwarded-Port "";',
  'proxy_set_header X-Forwarded-Server "";',
  'proxy_set_header X-Real-IP "";',
  'proxy_set_header Forwarded "";',
  'proxy_hide_header X-Powered-By;',
  '# Bodies and event streams pass as they come.',
  'proxy_buffering off;',
  'proxy_request_buffering off;',
  'proxy_connect_timeout 3s;',
  'proxy_send_timeout 60s;',
  'proxy_read_timeout 60s;',
  '# Even a GET may send a message: nothing is tried twice.',
  'proxy_next_upstream off;',
];

/** A regular expression, because a plain prefix would take /smsx for /sms. */
function location({ prefix, service }: Route, exists: boolean): string[] {
  const { errorShape, maxBodyMegabytes } = ROUTES[service];
  const own = errorShape === 'messaging' ? [] : errorPages(errorShape);
  const lines = exists
    ? [...own, `client_max_body_size ${maxBodyMegabytes}m;`, `proxy_pass http://${service};`]
    : [...own, 'return 404;'];
  return [`location ~ ^${prefix}(?:/|$) {`, ...indent(lines), '}'];
}

function errorPages(shape: ErrorShape): string[] {
  return [
    `error_page 404 @${shape}-not-found;`,
    `error_page 413 @${shape}-too-large;`,
    `error_page 502 503 504 =503 @${shape}-unavailable;`,
  ];
}

function answers(shape: ErrorShape): string[] {
  return [
    ...answer(shape, 'not-found', 404, 'NOT_FOUND', NOT_FOUND_MESSAGE),
    ...answer(shape, 'too-large', 413, 'PAYLOAD_TOO_LARGE', TOO_LARGE_MESSAGE),
    ...answer(shape, 'unavailable', 503, 'SERVICE_UNAVAILABLE', UNAVAILABLE_MESSAGE, [
      `add_header Retry-After ${RETRY_AFTER_SECONDS} always;`,
    ]),
  ];
}

function answer(
  shape: ErrorShape,
  name: string,
  status: number,
  code: string,
  message: string,
  headers: string[] = [],
): string[] {
  return [
    `location @${shape}-${name} {`,
    ...indent([
      'add_header X-Request-Id $reply_request_id always;',
      ...headers,
      `return ${status} '${errorBody(shape, code, message)}';`,
    ]),
    '}',
  ];
}

function indent(lines: string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `    ${line}`));
}
