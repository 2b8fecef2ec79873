//! Processor time of whole traces and of each of their stages: `cargo bench -p tracesmith`.
//!
//! criterion, and not divan, because it takes times that something else has measured. Stages are no functions that a benchmark
//! could call: they are told apart by the observer of a trace. And it keeps baselines: `-- --save-baseline NAME`,
//! `-- --baseline NAME`.

mod cpu;
mod log;
mod pictures;

use std::time::Duration;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

use mimalloc::MiMalloc;

use crate::cpu::Cpu;
use crate::log::Log;
use crate::pictures::pictures;

/// As in the addon.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// A sample is one trace: the clock is fine enough for its shortest stage, so that none needs thousands of them.
const SAMPLES: usize = 50;
/// Above what the samples will take, for criterion warns of less.
const TIME_FOR_A_SAMPLE: u32 = 2;
/// criterion takes no measurement time of zero.
const LEAST: Duration = Duration::from_micros(1);

fn stages(criterion: &mut Criterion<Cpu>) {
    for picture in pictures() {
        let mut group = criterion.benchmark_group(picture.name);
        group.sampling_mode(SamplingMode::Flat).sample_size(SAMPLES).warm_up_time(Duration::from_millis(1));
        let mut log = Log::new(&picture);
        for (part, time) in log.parts() {
            group.measurement_time(time.max(LEAST) * SAMPLES as u32 * TIME_FOR_A_SAMPLE);
            let mut traces = 0;
            group.bench_function(part, |bencher| {
                bencher.iter_custom(|calls| log.take(part, &mut traces, calls));
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(Cpu);
    targets = stages
}
criterion_main!(benches);
