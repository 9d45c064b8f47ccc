import { namesOf } from './expressions';

it.each([
  ['up == 0', ['up'], []],
  [
    'sum by (service, le) (rate(http_request_duration_seconds_bucket{status=~"5..", route!="none"}[5m] offset 1h))',
    ['http_request_duration_seconds_bucket'],
    ['service', 'le', 'status', 'route'],
  ],
  [
    'a / on (x) group_left (y) b{role="api"} > 1e3 and not_b unless absent(c{service="$service"})',
    ['a', 'b', 'not_b', 'c'],
    ['x', 'y', 'role', 'service'],
  ],
  ['service:requests:rate5m{role=~"$role"} > 14.4 * 0.001', ['service:requests:rate5m'], ['role']],
  ['histogram_quantile(0.99, sum(rate(x_bucket[$__rate_interval])) by (le))', ['x_bucket'], ['le']],
])('finds the metrics and labels of %s', (expression, metrics, labels) => {
  expect(namesOf(expression)).toEqual({ metrics, labels });
});
