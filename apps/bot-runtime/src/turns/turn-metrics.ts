import { Inject, Injectable } from '@nestjs/common';
import { METRICS } from '@heliograph/service-kit';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ReplyStep } from '../replies/reply';

/** `start` is a start without a message, and `paused` is a turn while an agent has taken over. */
type Step = ReplyStep | 'start' | 'paused' | 'submission';

/** Metrics of turns: the answering step and the duration. */
@Injectable()
export class TurnMetrics {
  private readonly turns: Counter<'step'>;
  private readonly duration: Histogram;

  constructor(@Inject(METRICS) private readonly registry: Registry) {
    const registers = [registry];
    this.turns = new Counter({
      name: 'bot_turns_total',
      help: 'Recorded turns by the step that produced the reply',
      labelNames: ['step'],
      registers,
    });
    this.duration = new Histogram({
      name: 'bot_turn_duration_seconds',
      help: 'Duration of turns from their beginning to their commit',
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20],
      registers,
    });
  }

  watch(queue: { depth: number }): void {
    new Gauge({
      name: 'bot_turns_under_way',
      help: 'Turns in progress or waiting for another turn of their conversation',
      registers: [this.registry],
      collect() {
        this.set(queue.depth);
      },
    });
  }

  took(step: Step, milliseconds: number): void {
    this.turns.inc({ step });
    this.duration.observe(milliseconds / 1000);
  }
}
