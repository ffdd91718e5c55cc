// The tour with the client of progenitor.
use client::{Client, Error, types};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use serde_json::{from_value, json};
use std::env::var;

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let caller = connect(&var("TRIVIUM_API_KEY")?)?;
    let operator = connect(&var("TRIVIUM_ADMIN_TOKEN")?)?;

    let wanted: types::SearchRequest = from_value(json!({ "query": "solar energy" }))?;
    let found = caller.search_web().body(wanted).send().await?.into_inner();
    let url = found.results[0].url.clone();
    let wanted: types::ExtractRequest = from_value(json!({ "urls": [url] }))?;
    let pages = caller.extract_pages().body(wanted).send().await?.into_inner();
    let wanted: types::TranscriptionRequest =
        from_value(json!({ "audio_url": var("TOUR_AUDIO_URL")? }))?;
    let accepted = caller.create_transcription().body(wanted).send().await?.into_inner();
    let id = accepted.id.to_string();
    let job = caller.read_job().id(id.clone()).send().await?.into_inner();
    let balance = caller.read_balance().send().await?.into_inner();
    let strict: types::SearchRequest = from_value(
        json!({ "query": "x", "provider": "engine_a", "offset": 10, "strict": true }),
    )?;
    let refused = match caller.search_web().body(strict).send().await {
        Err(Error::ErrorResponse(response)) => response.into_inner().error.type_.to_string(),
        other => format!("{other:?}"),
    };
    let accounts = operator.list_accounts().send().await?.into_inner();
    println!(
        "toured {} {} {} {} {}",
        pages.results[0].url == url,
        job.id.to_string() == id && job.tool.to_string() == "transcription",
        balance.balance_usd > 0.0,
        refused == "invalid_request",
        !accounts.accounts.is_empty()
    );
    Ok(())
}

fn connect(token: &str) -> Result<Client, Failure> {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_str(&format!("Bearer {token}"))?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    Ok(Client::new_with_client(&var("TRIVIUM_URL")?, http))
}
