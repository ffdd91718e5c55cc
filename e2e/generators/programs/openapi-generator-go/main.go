// The tour with the client of openapi-generator.
package main

import (
	"context"
	"fmt"
	"os"

	"example.test/tour/client"
)

func main() {
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: os.Getenv("TRIVIUM_URL")}}
	api := client.NewAPIClient(settings)
	caller := authorize(os.Getenv("TRIVIUM_API_KEY"))
	operator := authorize(os.Getenv("TRIVIUM_ADMIN_TOKEN"))

	found, _, err := api.SearchAPI.SearchWeb(caller).SearchRequest(*client.NewSearchRequest("solar energy")).Execute()
	check(err)
	url := found.Results[0].Url
	pages, _, err := api.ExtractAPI.ExtractPages(caller).ExtractRequest(*client.NewExtractRequest([]string{url})).Execute()
	check(err)
	recording := *client.NewTranscriptionRequest(os.Getenv("TOUR_AUDIO_URL"))
	accepted, _, err := api.TranscriptionAPI.CreateTranscription(caller).TranscriptionRequest(recording).Execute()
	check(err)
	job, _, err := api.TranscriptionAPI.ReadJob(caller, accepted.Id).Execute()
	check(err)
	balance, _, err := api.AccountAPI.ReadBalance(caller).Execute()
	check(err)
	strict := client.NewSearchRequest("x")
	strict.SetProvider("engine_a")
	strict.SetOffset(10)
	strict.SetStrict(true)
	_, _, refusal := api.SearchAPI.SearchWeb(caller).SearchRequest(*strict).Execute()
	refused := refusal.(*client.GenericOpenAPIError).Model().(client.ErrorEnvelope)
	accounts, _, err := api.AdminAPI.ListAccounts(operator).Execute()
	check(err)
	fmt.Println("toured",
		pages.Results[0].Url == url,
		job.Id == accepted.Id && job.Tool == "transcription",
		balance.BalanceUsd > 0,
		refused.Error.Type == "invalid_request",
		len(accounts.Accounts) > 0)
}

func authorize(token string) context.Context {
	return context.WithValue(context.Background(), client.ContextAccessToken, token)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
