import { Inject, Module, OnModuleInit } from '@nestjs/common';
import { CONFIG, Health, HealthProblem, LOGGER, type Logger } from '@heliograph/service-kit';
import type { SmsApiConfig } from '../sms-api.config';
import { CARRIERS, CarrierPool } from './carrier-pool';

@Module({
  providers: [
    {
      provide: CARRIERS,
      inject: [CONFIG, LOGGER],
      useFactory: ({ ROLE, SMS_CARRIERS, JOB_WEIGHTS }: SmsApiConfig, log: Logger) =>
        new CarrierPool(ROLE === 'api' ? [] : SMS_CARRIERS, log, JOB_WEIGHTS),
    },
  ],
  exports: [CARRIERS],
})
export class CarriersModule implements OnModuleInit {
  constructor(
    @Inject(CARRIERS) private readonly pool: CarrierPool,
    private readonly health: Health,
  ) {}

  onModuleInit(): void {
    // Not critical: while no carrier is bound, accepted messages wait in the queue.
    for (const carrier of this.pool.carriers) {
      this.health.register(`carrier ${carrier.name}`, false, () => {
        if (carrier.problem !== null) throw new HealthProblem(carrier.problem);
      });
    }
  }
}
