import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** An expression of PromQL in a file. */
export interface Expression {
  /** The rule or the panel that contains it. */
  place: string;
  expression: string;
}

export interface Rule {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

interface Dashboard {
  uid: string;
  title: string;
  templating: { list: { type: string; name: string; query: string }[] };
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
}

/** The text that replaces a variable of Grafana, so that the expression is complete. */
const VARIABLES: readonly (readonly [RegExp, string])[] = [
  [/\$__rate_interval/g, '5m'],
  [/\$\w+/g, '.*'],
];
const LABEL_VALUES = /^label_values\((\w+), (\w+)\)$/;

export function readRules(folder: string): Rule[] {
  const files = readdirSync(path.join(folder, 'rules'));
  return files.flatMap((file) => {
    const { groups } = parse(readFileSync(path.join(folder, 'rules', file), 'utf8')) as { groups: { rules: Rule[] }[] };
    return groups.flatMap(({ rules }) => rules);
  });
}

/** Returns the expressions of all panels, and of the variables that list values of a label. */
export function readDashboards(folder: string): Expression[] {
  return readdirSync(path.join(folder, 'dashboards')).flatMap((file) => {
    const dashboard = JSON.parse(readFileSync(path.join(folder, 'dashboards', file), 'utf8')) as Dashboard;
    const ofPanels = dashboard.panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ place: `${file}: ${title}`, expression: withoutVariables(expr) })),
    );
    const ofVariables = dashboard.templating.list
      .filter(({ type }) => type === 'query')
      .map(({ name, query }) => ({ place: `${file}: variable ${name}`, expression: groupingOf(query) }));
    return [...ofPanels, ...ofVariables];
  });
}

function withoutVariables(expression: string): string {
  return VARIABLES.reduce((text, [variable, value]) => text.replace(variable, value), expression);
}

/** `label_values` is a function of Grafana. */
function groupingOf(query: string): string {
  const [, metric, label] = LABEL_VALUES.exec(query) ?? [];
  if (metric === undefined || label === undefined) throw new Error(`not a query of label values: ${query}`);
  return `count by (${label}) (${metric})`;
}
