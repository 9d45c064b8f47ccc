import { Injectable } from '@nestjs/common';
import {
  FIGURES,
  mergeInto,
  blockPlanOf,
  RollupsRepository,
  SOURCES,
  type Figures,
  type Histogram,
  type Scope,
  type Series,
  type Source,
} from '@heliograph/analytics';
import { v1Timestamp } from '@heliograph/service-kit';
import { WorkspaceDirectory } from '@heliograph/tenancy';
import type { Caller } from '../../access/caller';
import type { V1AnalyticsQuery, V1EmailAnalyticsQuery, V1SmsAnalyticsQuery } from './analytics-query.dto';
import { spanOf, type Span } from './analytics-range';
import type { V1EmailAnalytics, V1OverviewAnalytics, V1OverviewFigures, V1SmsAnalytics } from './analytics.dto';
import { V1EmailFigures, V1SmsCounts, V1SmsFigures, type V1AnalyticsRange, type V1CreditFigures } from './figures.dto';

const CREDIT_TYPES = ['sms', 'email', 'chatapp'] as const;

/** Runs analytics queries on the rollups. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly rollups: RollupsRepository,
    private readonly workspaces: WorkspaceDirectory,
  ) {}

  /** Throws INVALID_REQUEST for an invalid range, and NOT_FOUND for a workspace of another organization. */
  async overview(caller: Caller, query: V1AnalyticsQuery): Promise<V1OverviewAnalytics> {
    const span = spanOf(query);
    const scope = await this.scopeOf(caller, query);
    const { points } = span;
    const plan = blockPlanOf(points);
    const [sms, email, chatapp, bots, credits] = await Promise.all([
      this.rollups.series('sms', scope, plan),
      this.rollups.series('email', scope, plan),
      this.rollups.series('chatapp', scope, plan),
      this.rollups.series('bots', scope, plan),
      this.rollups.seriesByKey('credits', scope, plan, 'credit_type'),
    ]);
    const figuresAt = (place: number): V1OverviewFigures => ({
      sms: V1SmsCounts.countsOf(figuresOf('sms', sms, place)),
      email: V1EmailFigures.of(figuresOf('email', email, place)),
      chatapp: figuresOf('chatapp', chatapp, place),
      bots: figuresOf('bots', bots, place),
      credits: creditsOf((type) => figuresOf('credits', credits.get(type) ?? new Map(), place)),
    });
    return {
      ...rangeOf(span),
      totals: {
        sms: V1SmsCounts.countsOf(totalOf('sms', sms)),
        email: V1EmailFigures.of(totalOf('email', email)),
        chatapp: totalOf('chatapp', chatapp),
        bots: totalOf('bots', bots),
        credits: creditsOf((type) => totalOf('credits', credits.get(type) ?? new Map())),
      },
      series: points.map(({ at }, place) => ({ at: v1Timestamp(at), ...figuresAt(place) })),
    };
  }

  /** Throws INVALID_REQUEST for an invalid range, and NOT_FOUND for a workspace of another organization. */
  async sms(caller: Caller, query: V1SmsAnalyticsQuery): Promise<V1SmsAnalytics> {
    const span = spanOf(query);
    const scope = await this.scopeOf(caller, query);
    const { points } = span;
    const plan = blockPlanOf(points);
    const [series, latencies, groups] = await Promise.all([
      this.rollups.series('sms', scope, plan),
      this.rollups.latencySeries(scope, plan),
      query.group_by === undefined ? null : this.smsGroups(scope, span, query.group_by),
    ]);
    return {
      ...rangeOf(span),
      totals: V1SmsFigures.of(totalOf('sms', series), mergedOf(latencies)),
      series: points.map(({ at }, place) => ({
        at: v1Timestamp(at),
        ...V1SmsFigures.of(figuresOf('sms', series, place), latencies.get(String(place)) ?? new Map()),
      })),
      ...(groups && { groups }),
    };
  }

  /** Throws INVALID_REQUEST for an invalid range, and NOT_FOUND for a workspace of another organization. */
  async email(caller: Caller, query: V1EmailAnalyticsQuery): Promise<V1EmailAnalytics> {
    const span = spanOf(query);
    const scope = await this.scopeOf(caller, query);
    const [series, groups] = await Promise.all([
      this.rollups.series('email', scope, blockPlanOf(span.points)),
      query.group_by === undefined ? null : this.rollups.groups('email', scope, span, query.group_by),
    ]);
    return {
      ...rangeOf(span),
      totals: V1EmailFigures.of(totalOf('email', series)),
      series: span.points.map(({ at }, place) => ({
        at: v1Timestamp(at),
        ...V1EmailFigures.of(figuresOf('email', series, place)),
      })),
      ...(groups && {
        groups: [...groups].map(([key, figures]) => ({ key: key || null, ...V1EmailFigures.of(figures) })),
      }),
    };
  }

  private async smsGroups(scope: Scope, span: Span, dimension: string): Promise<NonNullable<V1SmsAnalytics['groups']>> {
    const groups = await this.rollups.groups('sms', scope, span, dimension);
    const latencies = await this.rollups.latencyGroups(scope, span, dimension, [...groups.keys()]);
    return [...groups].map(([key, figures]) => ({
      key: key || null,
      ...V1SmsFigures.of(figures, latencies.get(key) ?? new Map()),
    }));
  }

  private async scopeOf({ organizationId, boundWorkspaceId }: Caller, query: V1AnalyticsQuery): Promise<Scope> {
    const owner = { organizationId, workspaceId: boundWorkspaceId };
    const workspaceId = await this.workspaces.chosen(owner, query.workspace_id);
    return { organizationId, workspaceId };
  }
}

function rangeOf({ since, before, interval, timeZone }: Span): V1AnalyticsRange {
  return { from: v1Timestamp(since), until: v1Timestamp(before), interval, time_zone: timeZone };
}

function creditsOf(figuresOfType: (type: (typeof CREDIT_TYPES)[number]) => Figures<'credits'>): V1CreditFigures {
  return { sms: figuresOfType('sms'), email: figuresOfType('email'), chatapp: figuresOfType('chatapp') };
}

/** The figures of a point without events. Most points of a long series have none. */
const NO_FIGURES = Object.fromEntries(SOURCES.map((source) => [source, Object.freeze(totalOf(source, new Map()))])) as {
  [S in Source]: Readonly<Figures<S>>;
};

function figuresOf<S extends Source>(source: S, series: Series<S>, place: number): Readonly<Figures<S>> {
  return series.get(place) ?? NO_FIGURES[source];
}

function totalOf<S extends Source>(source: S, series: Series<S>): Figures<S> {
  const all = [...series.values()] as Record<string, number>[];
  const total = FIGURES[source].map((figure) => [figure, all.reduce((sum, one) => sum + (one[figure] ?? 0), 0)]);
  return Object.fromEntries(total) as Figures<S>;
}

function mergedOf(series: Map<string, Histogram>): Histogram {
  const merged: Histogram = new Map();
  for (const histogram of series.values()) mergeInto(merged, histogram);
  return merged;
}
