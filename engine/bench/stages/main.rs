//! The CPU time of complete traces and of each of their stages: `cargo bench -p tracesmith-bench`.
//!
//! A benchmark cannot call a stage by itself, so the stages are timed by the observer of a trace. criterion accepts such times, which
//! divan does not, and keeps baselines: `-- --save-baseline NAME`, `-- --baseline NAME`.

mod cpu_time;
mod pictures;
mod stage_times;

use std::time::Duration;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use mimalloc::MiMalloc;

use crate::cpu_time::CpuTime;
use crate::pictures::pictures;
use crate::stage_times::StageTimes;

/// The allocator of the native addon.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Each sample is one trace; the clock is precise enough for its shortest stage.
const SAMPLES: usize = 50;
/// The measurement time as a multiple of the expected time; criterion warns if it is too short.
const TIME_FACTOR: u32 = 2;
/// criterion rejects a measurement time of zero.
const MIN_TIME: Duration = Duration::from_micros(1);

fn stages(criterion: &mut Criterion<CpuTime>) {
    for picture in pictures() {
        let mut group = criterion.benchmark_group(picture.name);
        group.sampling_mode(SamplingMode::Flat).sample_size(SAMPLES).warm_up_time(Duration::from_millis(1));
        let mut times = StageTimes::new(&picture);
        for (stage, time) in times.first() {
            group.measurement_time(time.max(MIN_TIME) * SAMPLES as u32 * TIME_FACTOR);
            let mut next = 0;
            group.bench_function(stage, |bencher| {
                bencher.iter_custom(|traces| times.take(stage, &mut next, traces));
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(CpuTime);
    targets = stages
}
criterion_main!(benches);
