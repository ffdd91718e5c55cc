// Pages about getting around and living together: rail, buses, bicycles, homes and public space.
import type { SourcePage } from './page.ts';

export const transportAndCities: SourcePage[] = [
  {
    url: 'https://railtimes.example/night-trains/second-spring',
    title: 'Night trains have a second spring, if anyone can find carriages',
    author: 'Agathe Renaud',
    published: '2026-05-15',
    language: 'en',
    country: 'AT',
    topics: ['transport'],
    kind: 'article',
    images: ['https://railtimes.example/pictures/couchette-corridor.jpg'],
    body: `
Every berth between Vienna and Amsterdam is sold six weeks ahead. Operators would gladly run a
second train. What they lack is carriages: only two factories build sleeping cars, and both are
booked until 2029.

## The numbers

European night trains carried 6.8 million passengers in 2025, twice as many as in 2019. There are
1,400 sleeping and couchette cars in service, 300 of them older than forty years. A new one costs
4.2 million euros, as much as a small hotel.

## Why they rarely pay

A seat is sold five times a day, a bed once. Track fees are charged by the kilometre, night or
day, and a locomotive change at a border costs 90 minutes and two drivers. Three of eleven lines
cover their costs.

## What is changing

From December two countries waive track fees at night, which saves about 1,900 euros per trip. A
leasing company has ordered 120 mini-cabin cars on its own account and will rent them to any
operator.

## For travellers

Book when sales open, usually 180 days ahead. The cheapest beds go within hours; seats remain, and
one regrets them at about three in the morning.`,
  },
  {
    url: 'https://railtimes.example/signalling/etcs-retrofit',
    title: 'Retrofitting signals: what digital train control really delivers',
    author: 'Agathe Renaud',
    published: '2024-09-26',
    language: 'en',
    country: 'CH',
    topics: ['transport', 'software'],
    kind: 'article',
    body: `
Digital train control replaces lights beside the track by a display in the cab. Its makers promise
a fifth more trains on the same rails. On lines where it has run for some years, the gain can be
measured.

## Capacity

On the busy line we studied the shortest safe interval fell from 180 to 132 seconds. The
timetable, however, grew by only 8 percent, since platforms and junctions became the next limit.

## Reliability

The first year was bad: 1,900 train failures because of radios and software versions. In the third
year there were 240, fewer than with the old lights. Most faults now sit in the trains, where they
can be mended in a depot instead of on the track.

## Money

Equipping a locomotive costs between 250,000 and 600,000 euros, more than some old ones are worth.
Where both systems run side by side, as the transition demands, maintenance costs rise for a
decade.

## The lesson

Railways that fitted the trains first and the lines second finished sooner and cheaper. Almost all
began the other way round, because lines belong to ministries and trains to companies.`,
  },
  {
    url: 'https://cityworks.example/streets/bus-lanes-camera',
    title: 'Bus lanes with cameras: five cities, five results',
    author: 'Devon Achebe',
    published: '2025-05-12',
    language: 'en',
    country: 'US',
    topics: ['transport', 'cities'],
    kind: 'article',
    body: `
A painted bus lane helps until the first delivery van stops in it. Five cities put cameras on the
buses themselves and fined whoever stood in the way. We compared their first years.

## Speed

| City | Bus speed before | After | Fines per week |
|---|---|---|---|
| Philadelphia | 11.2 km/h | 13.4 km/h | 2,900 |
| Bristol | 12.8 km/h | 14.1 km/h | 800 |
| Lyon | 14.0 km/h | 15.9 km/h | 640 |
| Oakland | 13.1 km/h | 14.0 km/h | 410 |
| Hobart | 16.5 km/h | 16.8 km/h | 90 |

## What made the difference

Cities that added loading bays around the corner, in the same month, had fewer fines and faster
buses. Where drivers had nowhere else to go they paid and stayed.

## Fairness

Fines fell hardest on couriers who own their vans. Two cities send the bill to the platform that
set the delivery window, and report that the windows have become wider.

## Privacy

All five delete pictures without an offence within a minute. Only one lets outsiders check that it
does.`,
  },
  {
    url: 'https://cityworks.example/housing/office-to-homes',
    title: 'Turning offices into homes: which buildings work',
    author: 'Lucía Ferrer',
    published: '2026-08-04',
    language: 'en',
    country: 'US',
    topics: ['cities', 'finance'],
    kind: 'article',
    images: ['https://cityworks.example/img/floor-plate-depth.png'],
    body: `
One office in five stands empty and homes are scarce. Converting one into the other sounds
obvious, and about one building in seven can be converted for less than the cost of building new.

## Depth decides

Homes need windows. A floor deeper than 14 metres from core to façade leaves dark rooms in the
middle. Buildings from before 1950 pass this test, towers of the 1980s fail it.

## Pipes and stairs

An office has two kitchens per floor, forty homes need forty. Running the pipes costs 30,000 to
55,000 dollars per home. Rules that demand two staircases rule out small buildings altogether;
three states changed theirs this year.

## A worked case

A twelve-storey block from 1931 became 96 homes in Pittsburgh for 29 million dollars, including
the purchase at 6. Building anew would have cost 34. Rents are 12 percent below the average for
new homes nearby.

## What cities can do

Fast permits saved the Pittsburgh project eleven months, which at current interest was worth more
than the tax relief it also received.`,
  },
  {
    url: 'https://cityworks.example/water/sponge-streets',
    title: 'Sponge streets: keeping rain out of the sewer',
    author: 'Devon Achebe',
    published: '2024-04-08',
    language: 'en',
    country: 'DK',
    topics: ['cities', 'water', 'climate'],
    kind: 'article',
    links: ['https://climateledger.example/explainers/urban-heat-island'],
    body: `
When 100 millimetres of rain fell on Copenhagen in two hours, the sewers gave up and the damage
came to a billion euros. The city decided to let water run on the surface, where it can be seen
and led away.

## What a sponge street is

The road is lowered in the middle instead of at the kerb. Beds with gravel and plants take the
first 30 millimetres of rain. What exceeds that flows to a park that is allowed to become a lake
for a day.

## Costs compared

Enlarging the sewers would have cost 20 billion kroner. The surface plan costs 13, is built street
by street whenever pipes are dug up anyway, and is about a third complete.

## Does it work?

In the storm of last August the finished district took 61 millimetres in an hour. Cellars stayed
dry in all but four of 2,300 houses. In the unfinished neighbouring district 190 were flooded.

## What residents say

They like the trees and miss the parking: 640 spaces have gone. Surveys found 71 percent in favour
after completion, from 46 percent before.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/electric-buses-depot',
    title: 'City orders 160 electric buses and a depot that doubles as storage',
    author: 'Tomás Weller',
    published: { days_ago: 20 },
    language: 'en',
    country: 'US',
    topics: ['transport', 'storage', 'cities'],
    kind: 'news',
    body: `
The transit board ordered 160 electric buses on Thursday and agreed to rebuild its oldest depot,
where worn bus batteries will spend a second life storing energy from the solar roof.

## The order

The buses cost 740,000 dollars each and arrive from next autumn. Diesel buses of the same size
would have been 560,000, but the board expects to save 31,000 a year per bus on fuel and repairs.

## A depot as a battery

After eight years a bus battery holds too little for a full day of service and still enough for
other uses. The depot has racks for 90 of them, some 18 megawatt-hours. They charge from the roof
at noon and refill the buses at night, which avoids a new grid connection worth 12 million
dollars.

## Winter range

Members asked about the cold. In trials last January range fell from 260 to 170 kilometres at 15
degrees below zero. Routes longer than that, nine in all, keep their diesel buses until 2032.`,
  },
  {
    url: 'https://papers.meridian.example/2024/cycling-passing-distance',
    title: 'Passing distance between cars and bicycles on roads with and without a painted lane',
    author: 'G. Varga, O. Sundström',
    published: '2024-06-30',
    language: 'en',
    country: 'HU',
    topics: ['transport', 'cities', 'health'],
    kind: 'paper',
    body: `
## Abstract

Painted lanes are the cheapest form of cycling infrastructure. We measured with ultrasonic sensors
how closely 58,000 motor vehicles passed bicycles on 96 road sections in three cities.

## Results

Without any marking the median passing distance was 132 centimetres. Beside a painted lane it was
121. Drivers seem to steer by the line instead of by the cyclist. With a lane wider than 1.8
metres the effect vanished, and with posts every ten metres the distance rose to 158.

## Close passes

A pass below one metre occurred once every 3.1 kilometres without a lane, every 2.4 with a narrow
lane and every 9.7 with posts. Vans and buses accounted for 22 percent of traffic and 41 percent
of close passes.

## Speed

On sections limited to 30 kilometres an hour the lane made no difference at all. We conclude that
narrow painted lanes should not be used on roads where traffic is faster than that, and that a few
posts are the most effective improvement per euro.`,
  },
  {
    url: 'https://cityworks.example/parks/pocket-parks-count',
    title: 'Pocket parks: what a parking space can become',
    author: 'Lucía Ferrer',
    published: '2023-10-12',
    language: 'en',
    country: 'ES',
    topics: ['cities', 'health'],
    kind: 'article',
    body: `
A parking space measures twelve square metres. It holds one car for 23 hours a day, or a bench, a
tree and a dozen people. Valencia has exchanged 1,100 of them since 2018.

## Who uses them

Counts on 40 sites found 19 visitors an hour on summer evenings and 6 in winter. Half were over
60. The most used sites lie beside a school or a chemist, the least used in front of banks.

## Shops

Owners feared losing customers. Card payments in the surrounding blocks rose by 4 percent in two
years, as against 3 in the rest of the city, which is to say that nothing bad happened.

## Cost and care

A simple one costs 9,000 euros and 600 a year for watering and repair. Neighbours who sign a care
agreement receive the water free. Where nobody signs, the planters are removed after three years:
74 of them so far.

## What to copy

Start with a wooden version for one summer. Of the trial sites 81 percent were kept, and the
others taught the planners where drains, deliveries and late bars are.`,
  },
  {
    url: 'https://railtimes.example/freight/single-wagon',
    title: 'Saving the single wagon: small freight on rails',
    published: '2025-08-28',
    language: 'en',
    country: 'CH',
    topics: ['transport', 'finance', 'climate'],
    kind: 'article',
    body: `
A whole train of ore pays its way. A single wagon of paper, collected at a siding and shunted four
times, does not. Yet single wagons keep two million lorry trips a year off Europe's roads, and
several railways are about to give them up.

## Where the money goes

Coupling is done by hand, as in 1890. A shunter lifts a 20 kilogram hook between two wagons, forty
times a shift. Collection and shunting are 62 percent of the cost, the long run only a third.

## The automatic coupler

A coupler that joins brakes, power and data by itself cuts the time to prepare a train from three
hours to one. Half a million wagons would need it, at about 17,000 euros each, and the benefit
begins only when most of them have it.

## Two ways out

Switzerland pays 260 million francs over eight years and requires the coupler from 2033. Others
let lorries collect the goods and put containers on trains instead. That is cheaper, and it gives
up 3,000 sidings that no one will ever rebuild.`,
  },
  {
    url: 'https://late-night.example/listings/comedy-after-eleven',
    title: 'After eleven: adults-only comedy and late bars this month',
    author: 'Rory Fenwick',
    published: { days_ago: 8 },
    language: 'en',
    country: 'US',
    topics: ['cities'],
    kind: 'news',
    unsafe: true,
    body: `
Strong language, late hours, no admission under eighteen. Here is where the city laughs after
eleven this month, with prices, last trains and the rooms that are worth the stairs.

## Three good rooms

The Cellar on Vine Street holds 70 people and has an open stage on Tuesdays, with twelve acts of
five minutes. The Old Signal Box serves until two and puts its best act last. At the Laundry one
pays by weight: the heavier your coat, the dearer the ticket, which is either a joke or a business
model.

## Going home

The last tram leaves Market Square at 00:40 from Sunday to Thursday. On Fridays and Saturdays
night buses run every 20 minutes until four. Taxis wait on the north side only, since the south
side is a bus lane with cameras.

## House rules

Telephones stay in a pouch at all three. Hecklers are warned once. Tickets cost 12 to 25 dollars,
and a jug of tap water is free everywhere by law.`,
  },
];
