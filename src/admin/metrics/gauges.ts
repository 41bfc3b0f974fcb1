import { Gauge, type Registry } from 'prom-client';

type AddGauge<Status> = (name: string, help: string, value: (status: Status) => number) => void;

/** Adds gauges that read a status when metrics are collected; without a status they have no sample. */
export function createGauges<Status>(registry: Registry, status: () => Status | undefined): AddGauge<Status> {
  return (name, help, value) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const present = status();
        if (present !== undefined) this.set(value(present));
      },
    });
  };
}
